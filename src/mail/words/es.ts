import type { Words } from "./words.ts";

export const ES: Words = {
  preferences: {
    title: "Sus correos de {project}",
    intro: "Elija qué correos recibe {email}.",
    topics: "Temas",
    save: "Guardar",
    saved: "Su elección está guardada.",
    undo: "Deshacer",
    undone: "Todo está como antes.",
    leftTopic: "{email} ya no recibe correos sobre «{topic}».",
    everything: "Todos los correos",
    everythingHint: "También puede dejar de recibir todos los correos de esta lista.",
    leave: "Darse de baja de todo",
    left: "{email} ya no recibe correos de esta lista.",
    isLeft: "{email} está de baja y no recibe correos de esta lista.",
    comeBack: "Suscribirse de nuevo",
    isBack: "{email} está suscrito de nuevo.",
    isPending: "{email} aún no está confirmado. Siga el enlace de nuestro correo.",
    sendAgain: "Enviar el correo otra vez",
    mailSent: "Enviamos un correo a {email}. Siga el enlace que contiene.",
    mailSentBefore:
      "Un correo a {email} ya está en camino o en el buzón. Si su enlace no funciona, inténtelo otra vez en diez minutos.",
    noTopics: "Este remitente no ofrece temas para elegir.",
    otherAddress:
      "Este enlace se envió a una dirección anterior. Con él puede darse de baja y nada más.",
  },
  data: {
    title: "Sus datos",
    hint: "Podemos enviar a {email} un enlace a todo lo que se guarda sobre esta dirección.",
    button: "Enviarme mis datos por correo",
    asked:
      "Si podemos escribir a {email}, pronto llegará un correo con un enlace a los datos. Enviamos como máximo tres correos de este tipo al día.",
    expiredHint:
      "El enlace era válido una hora. Puede pedir uno nuevo en la página en la que elige sus correos.",
  },
  confirm: {
    title: "Confirme su suscripción",
    intro: "Pulse el botón, y {email} recibe correos de {project}.",
    button: "Confirmar",
    done: "Está suscrito",
    doneHint: "Gracias. {email} está confirmado.",
    expired: "Este enlace ha caducado",
    expiredHint: "El enlace era válido 7 días. Podemos enviarle uno nuevo.",
    sendNew: "Enviar un enlace nuevo",
    notWaiting: "Ya no hay nada que confirmar.",
  },
  form: {
    email: "Correo electrónico",
    name: "Nombre",
    topics: "¿Qué le gustaría recibir?",
    button: "Suscribirse",
    optional: "opcional",
    leaveEmpty: "Deje este campo vacío",
    required: "Rellene este campo.",
    invalidEmail: "Escriba una dirección de correo completa.",
    invalid: "Revise este dato.",
    faulty: "Revise los campos marcados.",
    human: "Confirme que es una persona.",
    needsScript: "Este formulario está protegido contra bots y necesita JavaScript.",
    checkInbox: "Revise su bandeja de entrada",
    checkInboxHint:
      "Si esta dirección puede recibir nuestros correos, un mensaje con un enlace está en camino. El enlace completa su suscripción.",
    done: "Gracias",
    doneHint:
      "Hemos recibido su suscripción. Si hace falta confirmarla, recibirá un correo con un enlace.",
    known: "Ya está suscrito",
    knownHint: "Esta dirección está en nuestra lista, así que no ha cambiado nada.",
    closed: "Este formulario está cerrado",
    closedHint: "No admite suscripciones por el momento.",
    later: "Inténtelo más tarde",
    laterHint:
      "Hay demasiadas suscripciones en este momento. Su suscripción todavía no está hecha.",
    failedHint: "Su suscripción todavía no está hecha. Inténtelo de nuevo en un momento.",
  },
  mails: {
    confirmation: {
      subject: "Confirme su suscripción a {project}",
      intro:
        "Alguien, esperamos que usted, indicó esta dirección para recibir correos de {project}.",
      button: "Confirmar la suscripción",
      expiry: "El enlace es válido 7 días.",
      ignore: "Si no fue usted, ignore este correo: sin la confirmación no recibirá otro.",
    },
    data: {
      subject: "Sus datos en {project}",
      intro: "Alguien, esperamos que usted, pidió lo que {project} guarda sobre esta dirección.",
      button: "Descargar los datos",
      expiry: "El enlace es válido una hora.",
      ignore: "Si no fue usted, ignore este correo: nadie más recibe el enlace. No lo reenvíe.",
    },
    welcome: {
      title: "Le damos la bienvenida{to}",
      to: " a {project}",
      thanks: "Gracias por suscribirse. Nos alegra contar con usted.",
      next: "A partir de ahora le escribiremos a esta dirección cuando haya novedades.",
      button: "Empezar",
      reason: "Recibe este correo porque {email} se suscribió{for}.",
      for: " a {project}",
      thisAddress: "esta dirección",
      greeting: "Hola, {name}:",
      hello: "Hola:",
      questions: "¿Tiene preguntas? Escriba a {email}.",
      unsubscribe: "Darse de baja",
    },
    auth: {
      signup: {
        subject: "Confirme su dirección de correo",
        intro: "Confirme que esta dirección es suya para completar su registro en {project}.",
        button: "Confirmar la dirección",
      },
      invite: {
        subject: "Le invitan a {project}",
        intro: "Ha recibido una invitación para crear una cuenta en {project}.",
        button: "Aceptar la invitación",
      },
      magiclink: {
        subject: "Inicie sesión en {project}",
        intro:
          "Alguien, esperamos que usted, quiere iniciar sesión en {project} con esta dirección.",
        button: "Iniciar sesión",
      },
      recovery: {
        subject: "Restablezca su contraseña",
        intro:
          "Alguien, esperamos que usted, quiere restablecer la contraseña de su cuenta en {project}.",
        button: "Restablecer la contraseña",
      },
      email_change: {
        subject: "Confirme su nueva dirección de correo",
        intro: "Confirme que su cuenta en {project} pasa a usar la dirección {new}.",
        button: "Confirmar el cambio",
      },
      reauthentication: {
        subject: "Su código de verificación",
        intro: "Introduzca este código para confirmar su identidad en {project}:",
        button: "",
      },
      orCode: "O introduzca este código:",
      once: "Válido una sola vez y por poco tiempo.",
      ignore: "Si no fue usted, ignore este correo y no lo reenvíe.",
    },
    copyLink: "Si el botón no funciona, abra esta dirección:",
  },
  view: {
    gone: "Este correo ya no está disponible",
    goneHint:
      "Los correos se pueden abrir en el navegador durante 90 días, mientras exista la suscripción y su dirección no cambie.",
    test: "Este es un correo de prueba",
    testHint: "En el envío real, este enlace abre el correo en el navegador de cada destinatario.",
  },
  archive: {
    title: "Correos de {project}",
    search: "Buscar en los asuntos",
    find: "Buscar",
    none: "Todavía no hay correos.",
    noneFound: "Ningún asunto contiene «{text}».",
    newer: "Más recientes",
    older: "Más antiguos",
    feed: "Fuente",
    all: "Todos los correos",
    unknown: "Esta página no existe",
    unknownHint: "Es posible que el correo se haya retirado del archivo.",
  },
  faults: {
    unknownLink: "Este enlace no funciona",
    unknownLinkHint:
      "Quizá se cortó por el camino, o la suscripción ya no existe. Pruebe el enlace de un correo más reciente.",
    failed: "No ha funcionado",
    failedHint: "Nada ha cambiado. Abra otra vez el enlace de su correo dentro de un momento.",
  },
};
