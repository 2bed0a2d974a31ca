// A self-signed certificate for localhost, valid until 2126, and its key: for test servers only.
export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUCWlI41bNiB5AowcLS0HF8b5cm1cwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzAyMDkyNVoYDzIxMjYxMDMw
MDIwOTI1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARPbWrhEmomKa9ejxGbDq4QFiKz5Wn5QciEhU1YQ75HWo6SIvMzb3aI
75XXuBUhTDQQoi+ylsWacPVy+rjw6khso1MwUTAdBgNVHQ4EFgQUptjuMnbGg/KA
qbIchbc2qusHLgkwHwYDVR0jBBgwFoAUptjuMnbGg/KAqbIchbc2qusHLgkwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAut1OqcaZH+Bpy+9M21+r
cPdljEOeLVfv7iH+hVz+VeECIQD8SvNMA7mVLYHFB3vysAHgg/JrnuTjFV/BqsaA
nGs8Tw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjeCfnvGhpH5mVJXm
XdArjPDe1xKiCN+BIiD3AkPgYNehRANCAARPbWrhEmomKa9ejxGbDq4QFiKz5Wn5
QciEhU1YQ75HWo6SIvMzb3aI75XXuBUhTDQQoi+ylsWacPVy+rjw6khs
-----END PRIVATE KEY-----
`,
}
