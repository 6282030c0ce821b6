import type { AuthAction } from "../../lib/auth-actions.ts";

/**
 * Texts of the pages and mails for subscribers in one language. `{project}` and `{email}` stand for
 * the name of the sender and the address of the reader; `{topic}` stands for the name of a topic.
 */
export interface Words {
  preferences: {
    title: string;
    /** Before the list of topics. */
    intro: string;
    topics: string;
    save: string;
    saved: string;
    undo: string;
    undone: string;
    /** After the one-click header of a mail unsubscribed from this topic. */
    leftTopic: string;
    everything: string;
    everythingHint: string;
    leave: string;
    left: string;
    isLeft: string;
    comeBack: string;
    isBack: string;
    isPending: string;
    sendAgain: string;
    mailSent: string;
    /** The mail was requested less than ten minutes ago, and no other is sent. */
    mailSentBefore: string;
    /** Shown if the project has no topics. */
    noTopics: string;
    /** The link was sent to an earlier address. */
    otherAddress: string;
  };
  data: {
    title: string;
    hint: string;
    button: string;
    /** The response to the button in every case, because limits decide whether a mail follows. */
    asked: string;
    expiredHint: string;
  };
  confirm: {
    title: string;
    intro: string;
    button: string;
    done: string;
    doneHint: string;
    expired: string;
    expiredHint: string;
    sendNew: string;
    notWaiting: string;
  };
  /** The pages of sign-up forms. Their answers never reveal whether an address is known. */
  form: FormWords;
  mails: {
    confirmation: MailWords;
    data: MailWords;
    welcome: WelcomeWords;
    auth: AuthWords;
    copyLink: string;
  };
  /** The page of a link to a mail in the browser, when it shows no mail. */
  view: {
    gone: string;
    goneHint: string;
    /** The link is from a test or a preview. */
    test: string;
    testHint: string;
  };
  /** The public archive of broadcasts. */
  archive: {
    title: string;
    search: string;
    find: string;
    none: string;
    /** `{text}` is what was searched. */
    noneFound: string;
    newer: string;
    older: string;
    feed: string;
    all: string;
    unknown: string;
    unknownHint: string;
  };
  faults: {
    unknownLink: string;
    unknownLinkHint: string;
    failed: string;
    failedHint: string;
  };
}

export interface FormWords {
  email: string;
  name: string;
  topics: string;
  /** After the label of a field. */
  optional: string;
  button: string;
  /** The label of the field that only programs fill in. */
  leaveEmpty: string;
  required: string;
  invalidEmail: string;
  invalid: string;
  faulty: string;
  human: string;
  needsScript: string;
  checkInbox: string;
  checkInboxHint: string;
  /** Without double opt-in; somebody who left is asked to confirm all the same. */
  done: string;
  doneHint: string;
  known: string;
  knownHint: string;
  closed: string;
  closedHint: string;
  later: string;
  laterHint: string;
  failedHint: string;
}

/** Texts of the mails by which people sign in. `{new}` stands for a new address. */
type AuthWords = Record<AuthAction, Pick<MailWords, "subject" | "intro" | "button">> & {
  /** Before the code of a mail that also has a button. */
  orCode: string;
  once: string;
  ignore: string;
};

/** Texts of a mail with a button. */
interface MailWords {
  subject: string;
  intro: string;
  button: string;
  expiry: string;
  ignore: string;
}

/**
 * Texts of the welcome mail. `{to}` and `{for}` stand for the texts of these names, or for nothing
 * if the sender has no name.
 */
export interface WelcomeWords {
  title: string;
  to: string;
  thanks: string;
  next: string;
  button: string;
  reason: string;
  for: string;
  /** Stands for `{email}` in `reason` if the mail has no address. */
  thisAddress: string;
  greeting: string;
  /** The greeting of a recipient without a name. */
  hello: string;
  questions: string;
  unsubscribe: string;
}
