-- By itself, because a new value cannot be used in the transaction that adds it.
ALTER TYPE payment_status ADD VALUE 'reversed';
