export {
  createAccessToken,
  listed as listedToken,
  selectTokensOfSession,
} from "./access-tokens.ts";
export { changeName } from "./change-name.ts";
export { changePassword, logOut, requirePassword } from "./change-password.ts";
export {
  answerDeviceLogin,
  beginDeviceLogin,
  deleteExpiredDeviceLogins,
  findDeviceLogin,
  pollDeviceLogin,
} from "./device-login.ts";
export { endSession } from "./end-session.ts";
export { selectSessionsOfSession } from "./list-sessions.ts";
export { logIn, type PublicUser } from "./log-in.ts";
export {
  deleteExpiredSessions,
  insertUser,
  selectOriginOfSession,
  selectVerificationOf,
  selectWorkspacesOf,
} from "./queries.ts";
export {
  deleteExpiredTokens,
  deletePendingResets,
  deleteUserTokens,
  insertUserToken,
  tokenSubject,
  type NewMailedToken,
} from "./mailed-tokens.ts";
export { newSession } from "./sessions.ts";
