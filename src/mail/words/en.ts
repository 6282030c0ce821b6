import type { Words } from "./words.ts";

export const EN: Words = {
  preferences: {
    title: "Your emails from {project}",
    intro: "Choose which emails {email} gets.",
    topics: "Topics",
    save: "Save",
    saved: "Your choice is saved.",
    undo: "Undo",
    undone: "Everything is as it was before.",
    leftTopic: "{email} will get no more emails about “{topic}”.",
    everything: "All emails",
    everythingHint: "You can also unsubscribe from all emails from this list.",
    leave: "Unsubscribe from everything",
    left: "{email} will get no more emails from this list.",
    isLeft: "{email} is unsubscribed and gets no emails from this list.",
    comeBack: "Subscribe again",
    isBack: "{email} is subscribed again.",
    isPending: "{email} is not confirmed yet. Please follow the link in our email.",
    sendAgain: "Resend the email",
    mailSent: "We are sending an email to {email}. Please follow the link in it.",
    mailSentBefore:
      "An email to {email} is already on its way or in the mailbox. If its link does not work, please try again in ten minutes.",
    noTopics: "This sender has no topics to choose from.",
    otherAddress:
      "This link was sent to an earlier address. You can unsubscribe with it and change nothing else.",
  },
  data: {
    title: "Your data",
    hint: "We can email {email} a link to what is stored about this address.",
    button: "Email me my data",
    asked:
      "If we are allowed to email {email}, an email with a link to the data will arrive soon. We send at most three of these emails per day.",
    expiredHint:
      "The link was valid for one hour. You can request a new one on the page where you choose your emails.",
  },
  confirm: {
    title: "Confirm your subscription",
    intro: "Press the button, and {email} will get emails from {project}.",
    button: "Confirm",
    done: "You are subscribed",
    doneHint: "Thank you. {email} is confirmed.",
    expired: "This link has expired",
    expiredHint: "The link was valid for 7 days. We can send you a new one.",
    sendNew: "Send a new link",
    notWaiting: "There is nothing left to confirm.",
  },
  form: {
    email: "Email address",
    name: "Name",
    topics: "What would you like to get?",
    button: "Sign up",
    optional: "optional",
    leaveEmpty: "Leave this field empty",
    required: "Please fill in this field.",
    invalidEmail: "Please enter a complete email address.",
    invalid: "Please check this entry.",
    faulty: "Please check the marked fields.",
    human: "Please confirm that you are human.",
    needsScript: "This form is protected against bots and needs JavaScript.",
    checkInbox: "Check your inbox",
    checkInboxHint:
      "If this address can get our emails, a message with a link is on its way. The link completes your sign-up.",
    done: "Thank you",
    doneHint:
      "We have received your sign-up. If it needs a confirmation, you will get an email with a link.",
    closed: "This form is closed",
    closedHint: "It takes no sign-ups at the moment.",
    later: "Please try again later",
    laterHint: "There are too many sign-ups at the moment. You are not signed up yet.",
    failedHint: "You are not signed up yet. Please try again in a moment.",
  },
  mails: {
    confirmation: {
      subject: "Please confirm your subscription to {project}",
      intro: "Someone, hopefully you, entered this address to get emails from {project}.",
      button: "Confirm subscription",
      expiry: "The link is valid for 7 days.",
      ignore:
        "If this was not you, ignore this email: without a confirmation, you will not get any more.",
    },
    data: {
      subject: "Your data at {project}",
      intro: "Someone, hopefully you, requested the data that {project} stores about this address.",
      button: "Download the data",
      expiry: "The link is valid for one hour.",
      ignore:
        "If this was not you, ignore this email: no one else gets the link. Please do not forward it.",
    },
    welcome: {
      title: "Welcome{to}",
      to: " to {project}",
      thanks: "Thank you for signing up. It is good to have you with us.",
      next: "From now on you will hear from us at this address when there is something new.",
      button: "Get started",
      reason: "You received this email because {email} was signed up{for}.",
      for: " for {project}",
      thisAddress: "this address",
      greeting: "Hi {name},",
      hello: "Hello,",
      questions: "Questions? Write to {email}.",
      unsubscribe: "Unsubscribe",
    },
    auth: {
      signup: {
        subject: "Confirm your email address",
        intro: "Please confirm that this address is yours to finish signing up for {project}.",
        button: "Confirm email address",
      },
      invite: {
        subject: "You are invited to {project}",
        intro: "You have been invited to create an account at {project}.",
        button: "Accept invitation",
      },
      magiclink: {
        subject: "Sign in to {project}",
        intro: "Someone, hopefully you, wants to sign in to {project} with this address.",
        button: "Sign in",
      },
      recovery: {
        subject: "Reset your password",
        intro: "Someone, hopefully you, wants to reset the password of your account at {project}.",
        button: "Reset password",
      },
      email_change: {
        subject: "Confirm your new email address",
        intro: "Please confirm that your account at {project} gets the address {new}.",
        button: "Confirm change",
      },
      reauthentication: {
        subject: "Your verification code",
        intro: "Enter this code to confirm your identity at {project}:",
        button: "",
      },
      orCode: "Or enter this code:",
      once: "Valid once, and only for a short time.",
      ignore: "If this was not you, ignore this email, and do not forward it.",
    },
    copyLink: "If the button does not work, open this link:",
  },
  view: {
    gone: "This email is no longer available",
    goneHint:
      "Emails can be opened in the browser for 90 days, as long as the subscription and its address stay the same.",
    test: "This is a test email",
    testHint: "In the broadcast, this link opens the email in the browser of each recipient.",
  },
  faults: {
    unknownLink: "This link does not work",
    unknownLinkHint:
      "It may have been cut off, or the subscription no longer exists. Please try the link in a newer email.",
    failed: "Something went wrong",
    failedHint: "Nothing has changed. Please open the link in your email again in a moment.",
  },
};
