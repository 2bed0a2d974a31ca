-- A member of configurations has the word that the rest of the schema has.
UPDATE organisation_configs SET config = jsonb_set(config #- '{fxPolicy,baseCcy}', '{fxPolicy,baseCurrency}', config #> '{fxPolicy,baseCcy}')
  WHERE config #> '{fxPolicy}' ? 'baseCcy';
UPDATE project_configs SET config = jsonb_set(config #- '{fxPolicy,baseCcy}', '{fxPolicy,baseCurrency}', config #> '{fxPolicy,baseCcy}')
  WHERE config #> '{fxPolicy}' ? 'baseCcy';
