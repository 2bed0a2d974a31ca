-- The id of a signing key is the whole SHA-256 of its SPKI DER, of which it was the first 16 digits. It is computed from
-- the key, and a row whose id is not that of its key is refused from now on.
CREATE FUNCTION signing_key_id(pem text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT encode(sha256(decode(
    replace(replace(pem, '-----BEGIN PUBLIC KEY-----', ''), '-----END PUBLIC KEY-----', ''), 'base64')), 'hex')
$$;

UPDATE "artifacts" a SET signed_by = signing_key_id(k.public_key_pem)
FROM "signing_keys" k WHERE a.signed_by = k.key_id AND k.key_id <> signing_key_id(k.public_key_pem);

UPDATE "signing_keys" SET key_id = signing_key_id(public_key_pem) WHERE key_id <> signing_key_id(public_key_pem);

-- A key that ended before it began verifies nothing, and a document that says so contradicts itself.
UPDATE "signing_keys" SET valid_from = valid_to WHERE valid_to < valid_from;

ALTER TABLE "signing_keys"
  ADD CONSTRAINT "signing_keys_id_check" CHECK (key_id = signing_key_id(public_key_pem)),
  ADD CONSTRAINT "signing_keys_validity_check" CHECK (valid_to >= valid_from);
