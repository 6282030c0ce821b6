import type { Words } from "./words.ts";

export const PT: Words = {
  preferences: {
    title: "Os seus e-mails de {project}",
    intro: "Escolha os e-mails que {email} recebe.",
    topics: "Temas",
    save: "Guardar",
    saved: "A sua escolha está guardada.",
    undo: "Anular",
    undone: "Está tudo como antes.",
    leftTopic: "{email} já não recebe e-mails sobre “{topic}”.",
    everything: "Todos os e-mails",
    everythingHint: "Também pode deixar de receber todos os e-mails desta lista.",
    leave: "Cancelar tudo",
    left: "{email} já não recebe e-mails desta lista.",
    isLeft: "{email} cancelou a subscrição e não recebe e-mails desta lista.",
    comeBack: "Subscrever de novo",
    isBack: "{email} está subscrito de novo.",
    isPending: "{email} ainda não está confirmado. Siga a ligação do nosso e-mail.",
    sendAgain: "Enviar o e-mail outra vez",
    mailSent: "Enviamos um e-mail para {email}. Siga a ligação que ele contém.",
    mailSentBefore:
      "Um e-mail para {email} já está a caminho ou na caixa de correio. Se a ligação não funcionar, tente outra vez daqui a dez minutos.",
    noTopics: "Este remetente não tem temas à escolha.",
    otherAddress:
      "Esta ligação foi enviada para um endereço anterior. Serve para cancelar, e para mais nada.",
  },
  data: {
    title: "Os seus dados",
    hint: "Podemos enviar para {email} uma ligação para tudo o que está guardado sobre este endereço.",
    button: "Enviar-me os meus dados por e-mail",
    asked:
      "Se pudermos escrever para {email}, chega em breve um e-mail com uma ligação para os dados. Enviamos no máximo três destes e-mails por dia.",
    expiredHint:
      "A ligação era válida durante uma hora. Pode pedir uma nova na página onde escolhe os seus e-mails.",
  },
  confirm: {
    title: "Confirme a sua subscrição",
    intro: "Prima o botão, e {email} recebe e-mails de {project}.",
    button: "Confirmar",
    done: "Está subscrito",
    doneHint: "Obrigado. {email} está confirmado.",
    expired: "Esta ligação expirou",
    expiredHint: "A ligação era válida durante 7 dias. Podemos enviar-lhe uma nova.",
    sendNew: "Enviar uma nova ligação",
    notWaiting: "Já não há nada para confirmar.",
  },
  form: {
    email: "Endereço de e-mail",
    name: "Nome",
    topics: "O que gostaria de receber?",
    button: "Inscrever-se",
    optional: "opcional",
    leaveEmpty: "Deixe este campo vazio",
    required: "Preencha este campo.",
    invalidEmail: "Indique um endereço de e-mail completo.",
    invalid: "Verifique este dado.",
    faulty: "Verifique os campos assinalados.",
    human: "Confirme que é uma pessoa.",
    needsScript: "Este formulário está protegido contra bots e precisa de JavaScript.",
    checkInbox: "Verifique a sua caixa de entrada",
    checkInboxHint: "Clique na ligação do nosso e-mail para confirmar a sua subscrição.",
    done: "Está subscrito",
    doneHint:
      "A partir de agora receberá os nossos e-mails. Tinha cancelado a subscrição antes? Procure então o nosso e-mail e confirme.",
    known: "Já está inscrito",
    knownHint: "Este endereço está na nossa lista, por isso nada mudou.",
    closed: "Este formulário está fechado",
    closedHint: "De momento não aceita inscrições.",
    later: "Tente mais tarde",
    laterHint: "Há demasiadas inscrições neste momento. A sua inscrição ainda não está feita.",
    failedHint: "A sua inscrição ainda não está feita. Tente novamente dentro de momentos.",
  },
  mails: {
    confirmation: {
      subject: "Confirme a sua subscrição de {project}",
      intro:
        "Alguém, esperamos que tenha sido você, indicou este endereço para receber e-mails de {project}.",
      button: "Confirmar a subscrição",
      expiry: "A ligação é válida durante 7 dias.",
      ignore: "Se não foi você, ignore este e-mail: sem a confirmação não recebe mais nenhum.",
    },
    data: {
      subject: "Os seus dados em {project}",
      intro:
        "Alguém, esperamos que tenha sido você, pediu o que {project} guarda sobre este endereço.",
      button: "Descarregar os dados",
      expiry: "A ligação é válida durante uma hora.",
      ignore:
        "Se não foi você, ignore este e-mail: mais ninguém recebe a ligação. Não o reencaminhe.",
    },
    welcome: {
      title: "Damos-lhe as boas-vindas{to}",
      to: " a {project}",
      thanks: "Obrigado pela sua subscrição. É bom contar consigo.",
      next: "A partir de agora, escrevemos para este endereço quando houver novidades.",
      button: "Começar",
      reason: "Recebeu este e-mail porque {email} foi inscrito{for}.",
      for: " em {project}",
      thisAddress: "este endereço",
      greeting: "Olá, {name}!",
      hello: "Olá!",
      questions: "Tem perguntas? Escreva para {email}.",
      unsubscribe: "Cancelar a subscrição",
    },
    auth: {
      signup: {
        subject: "Confirme o seu endereço de e-mail",
        intro: "Confirme que este endereço é seu para concluir o registo em {project}.",
        button: "Confirmar o endereço",
      },
      invite: {
        subject: "Tem um convite para {project}",
        intro: "Recebeu um convite para criar uma conta em {project}.",
        button: "Aceitar o convite",
      },
      magiclink: {
        subject: "Inicie sessão em {project}",
        intro:
          "Alguém, esperamos que tenha sido você, quer iniciar sessão em {project} com este endereço.",
        button: "Iniciar sessão",
      },
      recovery: {
        subject: "Redefina a sua palavra-passe",
        intro:
          "Alguém, esperamos que tenha sido você, quer redefinir a palavra-passe da sua conta em {project}.",
        button: "Redefinir a palavra-passe",
      },
      email_change: {
        subject: "Confirme o seu novo endereço de e-mail",
        intro: "Confirme que a sua conta em {project} passa a usar o endereço {new}.",
        button: "Confirmar a alteração",
      },
      reauthentication: {
        subject: "O seu código de verificação",
        intro: "Introduza este código para confirmar a sua identidade em {project}:",
        button: "",
      },
      orCode: "Ou introduza este código:",
      once: "Válido uma só vez e por pouco tempo.",
      ignore: "Se não foi você, ignore este e-mail e não o reencaminhe.",
    },
    copyLink: "Se o botão não funcionar, abra este endereço:",
  },
  view: {
    gone: "Este e-mail já não está disponível",
    goneHint:
      "Os e-mails podem ser abertos no navegador durante 90 dias, enquanto a subscrição existir e o seu endereço não mudar.",
    test: "Este é um e-mail de teste",
    testHint: "No envio real, esta ligação abre o e-mail no navegador de cada destinatário.",
  },
  archive: {
    title: "E-mails de {project}",
    search: "Pesquisar nos assuntos",
    find: "Pesquisar",
    none: "Ainda não há e-mails.",
    noneFound: "Nenhum assunto contém “{text}”.",
    newer: "Mais recentes",
    older: "Mais antigos",
    feed: "Feed RSS",
    all: "Todos os e-mails",
    unknown: "Esta página não existe",
    unknownHint: "O e-mail pode ter sido retirado do arquivo.",
  },
  faults: {
    unknownLink: "Esta ligação não funciona",
    unknownLinkHint:
      "Talvez tenha sido cortada pelo caminho, ou a subscrição já não exista. Experimente a ligação de um e-mail mais recente.",
    failed: "Não funcionou",
    failedHint: "Nada mudou. Abra de novo a ligação do seu e-mail daqui a pouco.",
  },
};
