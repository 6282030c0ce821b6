import type { Words } from "./words.ts";

export const EN: Words = {
  preferences: {
    title: "Your mail from {project}",
    intro: "Choose which mail {email} gets.",
    topics: "Topics",
    save: "Save",
    saved: "Your choice is saved.",
    undo: "Undo",
    undone: "Everything is as it was before.",
    leftTopic: "{email} gets no more mail about “{topic}”.",
    everything: "All mail",
    everythingHint: "You can also stop all mail of this list.",
    leave: "Unsubscribe from everything",
    left: "{email} gets no more mail from this list.",
    isLeft: "{email} is unsubscribed and gets no mail from this list.",
    comeBack: "Subscribe again",
    isBack: "{email} is subscribed again.",
    isPending: "{email} is not confirmed yet. Please follow the link in our mail.",
    sendAgain: "Send the mail again",
    mailSent: "We are sending a mail to {email}. Please follow the link in it.",
    mailSentBefore:
      "A mail to {email} is already on its way or in the mailbox. If its link does not work, please try again in ten minutes.",
    noTopics: "This sender has no topics to choose from.",
    otherAddress:
      "This link was sent to an earlier address. You can unsubscribe with it and change nothing else.",
  },
  data: {
    title: "Your data",
    hint: "We can email {email} a link to what is stored about this address.",
    button: "Email me my data",
    asked:
      "If we may write to {email}, a mail with a link to the data arrives soon. We send at most three of these mails a day.",
    expiredHint:
      "The link was good for one hour. You can ask for a new one on the page where you choose your mail.",
  },
  confirm: {
    title: "Confirm your subscription",
    intro: "Press the button, and {email} gets mail from {project}.",
    button: "Confirm",
    done: "You are subscribed",
    doneHint: "Thank you. {email} is confirmed.",
    expired: "This link has expired",
    expiredHint: "The link was good for 7 days. We can send you a new one.",
    sendNew: "Send a new link",
    notWaiting: "There is nothing to confirm any more.",
  },
  mails: {
    confirmation: {
      subject: "Please confirm your subscription to {project}",
      intro: "Somebody, we hope you, entered this address to get mail from {project}.",
      button: "Confirm the subscription",
      expiry: "The link is good for 7 days.",
      ignore: "If it was not you, ignore this mail: without the confirmation you get no other.",
    },
    data: {
      subject: "Your data at {project}",
      intro: "Somebody, we hope you, asked for what {project} stores about this address.",
      button: "Download the data",
      expiry: "The link is good for one hour.",
      ignore:
        "If it was not you, ignore this mail: nobody else gets the link. Please do not forward it.",
    },
    copyLink: "If the button does not work, open this address:",
  },
  faults: {
    unknownLink: "This link does not work",
    unknownLinkHint:
      "Perhaps it was cut off on its way, or the subscription is gone. Please try the link in a newer mail.",
    failed: "That did not work",
    failedHint: "Nothing has changed. Please open the link in your mail again in a moment.",
  },
};
