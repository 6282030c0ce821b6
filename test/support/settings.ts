/** Variables and secrets of the service under test; they override a developer's `.dev.vars`. */
export const TEST_SETTINGS = {
  BASE_URL: "https://mail.postrider.test",
  DEPLOYMENT_MODE: "cloud",
  JWT_SECRET: "a-secret-of-the-tests-that-signs-links",
  JWT_SECRET_PREVIOUS: "",
  ENCRYPTION_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
  ENCRYPTION_KEY_PREVIOUS: "",
  SETUP_TOKEN: "setup-token-of-the-tests",
  SERVICE_LICENSE_KEY: "",
  LICENSE_PUBLIC_KEY: "",
  ALLOW_PRIVATE_TARGETS: "true",
  DOH_URL: "http://127.0.0.1:9/dns-query", // nobody answers, at once: no question leaves the machine
};
