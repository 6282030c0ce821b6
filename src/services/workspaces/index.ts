export { selectRole } from "./queries.ts";
export { registerAccount, type Registration } from "./register-account.ts";
