import type { Words } from "./words.ts";

export const FR: Words = {
  preferences: {
    title: "Vos e-mails de {project}",
    intro: "Choisissez les e-mails que {email} reçoit.",
    topics: "Sujets",
    save: "Enregistrer",
    saved: "Votre choix est enregistré.",
    undo: "Annuler",
    undone: "Tout est comme avant.",
    leftTopic: "{email} ne reçoit plus d’e-mails sur « {topic} ».",
    everything: "Tous les e-mails",
    everythingHint: "Vous pouvez aussi arrêter tous les e-mails de cette liste.",
    leave: "Se désabonner de tout",
    left: "{email} ne reçoit plus d’e-mails de cette liste.",
    isLeft: "{email} est désabonné et ne reçoit pas d’e-mails de cette liste.",
    comeBack: "S’abonner de nouveau",
    isBack: "{email} est de nouveau abonné.",
    isPending: "{email} n’est pas encore confirmé. Suivez le lien dans notre e-mail.",
    sendAgain: "Renvoyer l’e-mail",
    mailSent: "Nous envoyons un e-mail à {email}. Suivez le lien qu’il contient.",
    mailSentBefore:
      "Un e-mail à {email} est déjà en route ou dans la boîte aux lettres. Si son lien ne fonctionne pas, réessayez dans dix minutes.",
    noTopics: "Cet expéditeur ne propose pas de sujets au choix.",
    otherAddress:
      "Ce lien a été envoyé à une ancienne adresse. Il permet de se désabonner, et rien d’autre.",
  },
  data: {
    title: "Vos données",
    hint: "Nous pouvons envoyer à {email} un lien vers tout ce qui est enregistré sur cette adresse.",
    button: "M’envoyer mes données par e-mail",
    asked:
      "Si nous pouvons écrire à {email}, un e-mail avec un lien vers les données arrive bientôt. Nous envoyons au plus trois e-mails de ce type par jour.",
    expiredHint:
      "Le lien était valable une heure. Vous pouvez en demander un nouveau sur la page où vous choisissez vos e-mails.",
  },
  confirm: {
    title: "Confirmez votre abonnement",
    intro: "Appuyez sur le bouton, et {email} reçoit des e-mails de {project}.",
    button: "Confirmer",
    done: "Vous êtes abonné",
    doneHint: "Merci. {email} est confirmé.",
    expired: "Ce lien a expiré",
    expiredHint: "Le lien était valable 7 jours. Nous pouvons vous en envoyer un nouveau.",
    sendNew: "Envoyer un nouveau lien",
    notWaiting: "Il n’y a plus rien à confirmer.",
  },
  form: {
    email: "Adresse e-mail",
    name: "Nom",
    topics: "Que souhaitez-vous recevoir ?",
    button: "S’inscrire",
    optional: "facultatif",
    leaveEmpty: "Laissez ce champ vide",
    required: "Veuillez remplir ce champ.",
    invalidEmail: "Veuillez saisir une adresse e-mail complète.",
    invalid: "Veuillez vérifier cette saisie.",
    faulty: "Veuillez vérifier les champs signalés.",
    human: "Veuillez confirmer que vous êtes humain.",
    needsScript: "Ce formulaire est protégé contre les robots et nécessite JavaScript.",
    checkInbox: "Consultez votre boîte de réception",
    checkInboxHint: "Cliquez sur le lien dans notre e-mail pour confirmer votre inscription.",
    done: "Vous êtes abonné",
    doneHint:
      "Vous recevrez désormais nos e-mails. Vous étiez-vous désabonné auparavant ? Cherchez alors notre e-mail et confirmez.",
    known: "Vous êtes déjà inscrit",
    knownHint: "Cette adresse figure sur notre liste : rien n’a changé.",
    closed: "Ce formulaire est fermé",
    closedHint: "Il n’accepte pas d’inscription pour le moment.",
    later: "Veuillez réessayer plus tard",
    laterHint: "Il y a trop d’inscriptions en ce moment. Vous n’êtes pas encore inscrit.",
    failedHint: "Vous n’êtes pas encore inscrit. Veuillez réessayer dans un instant.",
  },
  mails: {
    confirmation: {
      subject: "Confirmez votre abonnement à {project}",
      intro:
        "Quelqu’un, vous sans doute, a saisi cette adresse pour recevoir des e-mails de {project}.",
      button: "Confirmer l’abonnement",
      expiry: "Le lien est valable 7 jours.",
      ignore:
        "Si ce n’était pas vous, ignorez cet e-mail : sans confirmation vous n’en recevrez pas d’autre.",
    },
    data: {
      subject: "Vos données chez {project}",
      intro: "Quelqu’un, vous sans doute, a demandé ce que {project} enregistre sur cette adresse.",
      button: "Télécharger les données",
      expiry: "Le lien est valable une heure.",
      ignore:
        "Si ce n’était pas vous, ignorez cet e-mail : personne d’autre ne reçoit le lien. Ne le transférez pas.",
    },
    welcome: {
      title: "Bienvenue{to}",
      to: " chez {project}",
      thanks: "Merci pour votre inscription. Nous sommes heureux de vous compter parmi nous.",
      next: "Désormais, nous vous écrirons à cette adresse lorsqu’il y aura du nouveau.",
      button: "Commencer",
      reason: "Vous recevez cet e-mail parce que {email} a été inscrite{for}.",
      for: " chez {project}",
      thisAddress: "cette adresse",
      greeting: "Bonjour {name},",
      hello: "Bonjour,",
      questions: "Des questions ? Écrivez à {email}.",
      unsubscribe: "Se désabonner",
    },
    auth: {
      signup: {
        subject: "Confirmez votre adresse e-mail",
        intro:
          "Confirmez que cette adresse est la vôtre pour terminer votre inscription à {project}.",
        button: "Confirmer l’adresse e-mail",
      },
      invite: {
        subject: "Vous êtes invité à rejoindre {project}",
        intro: "Vous avez été invité à créer un compte chez {project}.",
        button: "Accepter l’invitation",
      },
      magiclink: {
        subject: "Connexion à {project}",
        intro: "Quelqu’un, vous sans doute, souhaite se connecter à {project} avec cette adresse.",
        button: "Se connecter",
      },
      recovery: {
        subject: "Réinitialisez votre mot de passe",
        intro:
          "Quelqu’un, vous sans doute, souhaite réinitialiser le mot de passe de votre compte chez {project}.",
        button: "Réinitialiser le mot de passe",
      },
      email_change: {
        subject: "Confirmez votre nouvelle adresse e-mail",
        intro: "Confirmez que votre compte chez {project} prend l’adresse {new}.",
        button: "Confirmer le changement",
      },
      reauthentication: {
        subject: "Votre code de vérification",
        intro: "Saisissez ce code pour confirmer votre identité chez {project} :",
        button: "",
      },
      orCode: "Ou saisissez ce code :",
      once: "Valable une seule fois et pour peu de temps.",
      ignore: "Si ce n’était pas vous, ignorez cet e-mail et ne le transférez pas.",
    },
    copyLink: "Si le bouton ne fonctionne pas, ouvrez cette adresse :",
  },
  view: {
    gone: "Cet e-mail n’est plus disponible",
    goneHint:
      "Les e-mails peuvent être ouverts dans le navigateur pendant 90 jours, tant que l’abonnement existe et que son adresse ne change pas.",
    test: "Ceci est un e-mail de test",
    testHint:
      "Dans l’envoi réel, ce lien ouvre l’e-mail dans le navigateur de chaque destinataire.",
  },
  archive: {
    title: "E-mails de {project}",
    search: "Rechercher dans les objets",
    find: "Rechercher",
    none: "Aucun e-mail pour le moment.",
    noneFound: "Aucun objet ne contient « {text} ».",
    newer: "Plus récents",
    older: "Plus anciens",
    feed: "Flux RSS",
    all: "Tous les e-mails",
    unknown: "Cette page n’existe pas",
    unknownHint: "L’e-mail a peut-être été retiré des archives.",
  },
  faults: {
    unknownLink: "Ce lien ne fonctionne pas",
    unknownLinkHint:
      "Il a peut-être été coupé en route, ou l’abonnement n’existe plus. Essayez le lien d’un e-mail plus récent.",
    failed: "Cela n’a pas fonctionné",
    failedHint: "Rien n’a changé. Ouvrez de nouveau le lien de votre e-mail dans un instant.",
  },
};
