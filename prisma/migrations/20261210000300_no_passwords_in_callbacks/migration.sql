-- A receipt could be recorded with a user and a password in its callback_url. Nothing was ever sent to such an address, but
-- it was shown. Such addresses are refused now; those that are stored lose the password.
UPDATE receipts SET callback_url = regexp_replace(callback_url, '^(\w+:[/\\]*)[^/?#\\]*@', '\1')
  WHERE callback_url ~ '^\w+:[/\\]*[^/?#\\]*@';
UPDATE webhook_deliveries SET url = regexp_replace(url, '^(\w+:[/\\]*)[^/?#\\]*@', '\1')
  WHERE url ~ '^\w+:[/\\]*[^/?#\\]*@';
