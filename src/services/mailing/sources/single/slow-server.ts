/**
 * The end of a pending mail that its server, or a busy hub, makes wait (decision D14). If the mail
 * is under way, the hub sends and settles it; otherwise nothing was claimed.
 */
export class SlowServer extends Error {
  readonly isUnderWay: boolean;

  constructor(isUnderWay: boolean) {
    super(isUnderWay ? "the server has the mail for long" : "the server is slow: nothing was sent");
    this.isUnderWay = isUnderWay;
  }
}
