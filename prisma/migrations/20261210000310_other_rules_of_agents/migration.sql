-- Rules that older clients send beside the limits of an agent. They are kept and answered, and limit nothing.
ALTER TABLE agents ADD COLUMN other_rules jsonb;
