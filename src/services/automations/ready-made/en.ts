import type { ReadyMadeWords } from "./words.ts";

const HI = "{{#if name}}Hi {{name}},{{else}}Hello,{{/if}}";

export const EN: ReadyMadeWords = {
  reason: "You received this email because you subscribed to {brand}.",
  confirm: "Confirm my address",
  toCart: "Back to my cart",
  welcome_series: {
    name: "Welcome series",
    description: "Greets new subscribers, and writes twice more in their first week.",
    mails: {
      hello: {
        subject: "Welcome to {brand}",
        heading: "Welcome to {brand}",
        paragraphs: [
          HI,
          "Thank you for joining us. From now on you get our news first.",
          "In the next days we write to you twice more, so that you know what to expect. If you have a question, just reply to this email: we read every answer.",
        ],
      },
      tips: {
        subject: "What you can expect from {brand}",
        heading: "What you can expect",
        paragraphs: [
          HI,
          "We write when there is something worth reading: what is new, what others like, and what we have learned.",
          "You decide how much of it you get. The link at the end of every email lets you choose, or leave at any time.",
        ],
      },
      question: {
        subject: "One question for you",
        heading: "What brought you to us?",
        paragraphs: [
          HI,
          "You have been with us for a week. What made you subscribe, and what would you like to read about?",
          "Reply in one sentence. It helps us to write what is useful to you.",
        ],
      },
    },
  },
  opt_in_reminder: {
    name: "Opt-in reminder",
    description: "Reminds people who have signed up and not confirmed their address.",
    mails: {
      first: {
        subject: "Please confirm your address",
        heading: "One click is missing",
        paragraphs: [
          HI,
          "You signed up with {brand} and have not confirmed your address yet. Until then we cannot write to you.",
        ],
      },
      last: {
        subject: "Last reminder: confirm your address",
        heading: "Do you still want to hear from us?",
        paragraphs: [
          HI,
          "This is our last email unless you confirm your address. If you did not sign up, you need to do nothing.",
        ],
      },
    },
  },
  abandoned_cart: {
    name: "Abandoned cart",
    description:
      "Reminds people of a cart: the event checkout_started starts it, and purchased ends it.",
    mails: {
      first: {
        subject: "You left something behind",
        heading: "Your cart is waiting",
        paragraphs: [
          HI,
          "You put something into your cart and did not finish your order. We have kept it for you.",
          "Did something not work? Reply to this email, and we help.",
        ],
      },
      last: {
        subject: "Your cart at {brand}",
        heading: "Still interested?",
        paragraphs: [
          HI,
          "Your cart is still there. This is our only other reminder: we do not want to get on your nerves.",
        ],
      },
    },
  },
  win_back: {
    name: "Win-back",
    description:
      "Writes to people who have become quiet: choose a segment such as “not opened:90d”.",
    mails: {
      "miss-you": {
        subject: "It has been a while",
        heading: "It has been a while",
        paragraphs: [
          HI,
          "We have not heard from you for some time, and much has happened since. Have a look at what is new.",
          "If our emails are not what you hoped for, tell us what is missing: a short reply is enough.",
        ],
      },
      last: {
        subject: "Shall we keep in touch?",
        heading: "Shall we keep in touch?",
        paragraphs: [
          HI,
          "If you would like to hear from us, there is nothing to do. If not, the link below ends it with one click, and nobody is offended.",
        ],
      },
    },
  },
  birthday: {
    name: "Birthday",
    description: "Congratulates on the day in the field birthday, every year.",
    mails: {
      wishes: {
        subject: "Happy birthday{{#if name}}, {{name}}{{/if}}!",
        heading: "Happy birthday!",
        paragraphs: [
          HI,
          "All of us at {brand} wish you a wonderful day and a good new year of your life.",
        ],
      },
    },
  },
  trial_ends: {
    name: "Trial ends",
    description:
      "Writes three days and one day before the day in the field trial_ends; the event subscribed ends it.",
    mails: {
      soon: {
        subject: "Your trial ends in three days",
        heading: "Three days left",
        paragraphs: [
          HI,
          "Your {brand} trial ends in three days. Choose a plan before then to keep everything as it is.",
          "Not sure yet? Reply with your question, and we find out together.",
        ],
      },
      tomorrow: {
        subject: "Your trial ends tomorrow",
        heading: "One day left",
        paragraphs: [
          HI,
          "Your trial ends tomorrow. If you choose a plan today, nothing changes for you.",
          "If you decide against it, we would like to know why: one sentence helps us a lot.",
        ],
      },
    },
  },
  review_request: {
    name: "Review request",
    description: "Asks for a review a week after the event order_delivered.",
    mails: {
      ask: {
        subject: "How do you like your order?",
        heading: "How do you like it?",
        paragraphs: [
          HI,
          "Your order has been with you for a week. Are you happy with it?",
          "Reply with a few words. If something is wrong, we make it right.",
        ],
      },
      again: {
        subject: "A minute for your opinion?",
        heading: "A minute for your opinion?",
        paragraphs: [
          HI,
          "We would still like to know how you like your order. This is the last time that we ask.",
        ],
      },
    },
  },
  sunset: {
    name: "Sunset",
    description:
      "Asks people who never open an email whether they want to stay, and tags those who do not react. Choose a segment such as “not opened:180d”.",
    mails: {
      stay: {
        subject: "Do you still want our emails?",
        heading: "Do you still want our emails?",
        paragraphs: [
          HI,
          "You have not opened our emails for a long time. We only want to write to people who like to read us.",
          "To stay, open this email or reply to it.",
        ],
      },
      last: {
        subject: "We say goodbye",
        heading: "This is goodbye for now",
        paragraphs: [
          HI,
          "We have not heard from you, so we stop writing to you. If you change your mind, reply to this email, and you are back.",
        ],
      },
    },
  },
};
