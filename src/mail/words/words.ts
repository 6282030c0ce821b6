/**
 * The words of the pages and mails for subscribers in one language. `{project}` and `{email}` stand
 * for the name of the sender and the address of the reader; `{topic}` stands for the name of a
 * topic.
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
    /** The one-click header of a mail left this topic. */
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
    /** The mail was asked for less than ten minutes ago, and no other is sent. */
    mailSentBefore: string;
    /** In place of the topics of a project that has none. */
    noTopics: string;
    /** A link that was mailed to an earlier address. */
    otherAddress: string;
  };
  stored: {
    title: string;
    intro: string;
    download: string;
    /** A link in a mail that is too old to show personal data. */
    old: string;
    email: string;
    name: string;
    status: string;
    since: string;
    details: string;
    history: string;
    statuses: { active: string; pending: string; unsubscribed: string };
    wholeList: string;
    actions: { subscribed: string; unsubscribed: string; requested: string; confirmed: string };
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
  mail: {
    subject: string;
    intro: string;
    button: string;
    copyLink: string;
    expiry: string;
    ignore: string;
  };
  faults: {
    unknownLink: string;
    unknownLinkHint: string;
    failed: string;
    failedHint: string;
  };
}
