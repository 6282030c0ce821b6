// One call of the API in several languages. The dashboard and the documentation show these programs.

/** A call of the API with its credential. A call without a body is a GET. */
export interface ApiCall {
  /** Such as `https://mail.example.com`. */
  origin: string;
  /** Below `/api/v1`. */
  path: string;
  body?: Record<string, string>;
  credential: string;
  /** Name of the call in the typed client, and its parameters besides the body. */
  operation: string;
  params?: Record<string, string>;
}

/** A language in which a call can be written. */
export interface Language {
  name: string;
  /** Name of the grammar in a Markdown code block. */
  grammar: string;
  write: (call: ApiCall) => string;
}

const urlOf = ({ origin, path }: ApiCall) => `${origin}/api/v1${path}`;
const jsonOf = (value: unknown) => JSON.stringify(value, null, 2);

/** Indents all lines of a text but the first. */
const indented = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

/** Returns an object as JavaScript, without the quotes of its names. */
const scriptOf = (value: object) => jsonOf(value).replaceAll(/^( +)"(\w+)":/gm, "$1$2:");

/** Quotes a text for a shell, including apostrophes. */
const shellText = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const phpText = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/** A raw string of Go cannot contain a backtick, so JSON escapes it. */
const goText = (text: string) => `\`${text.replaceAll("`", String.raw`\u0060`)}\``;

/** Cloudflare may block a request whose User-Agent is missing, or is that of Python's library. */
const USER_AGENT = "my-program/1.0";

const writeCurl = (call: ApiCall) =>
  [
    `curl ${urlOf(call)}`,
    `-H ${shellText(`Authorization: Bearer ${call.credential}`)}`,
    ...(call.body
      ? [`-H 'Content-Type: application/json'`, `-d ${shellText(JSON.stringify(call.body))}`]
      : []),
  ].join(" \\\n  ");

function writeClient({ origin, credential, operation, params, body }: ApiCall): string {
  const named = credential.startsWith("pat_") ? "token" : "key";
  const given = params || body ? scriptOf({ ...params, ...(body && { body }) }) : "";
  return `import { createClient } from "postrider-client";

const client = createClient(${scriptOf({ baseUrl: origin, [named]: credential })});
const answer = await client.${operation}(${given});
console.log(answer);`;
}

const writeFetch = (call: ApiCall) => `const response = await fetch("${urlOf(call)}", {${
  call.body ? `\n  method: "POST",` : ""
}
  headers: {
    Authorization: "Bearer ${call.credential}",${
      call.body ? `\n    "Content-Type": "application/json",` : ""
    }
  },${call.body ? `\n  body: JSON.stringify(${indented(scriptOf(call.body), "  ")}),` : ""}
});
console.log(response.status, await response.json());`;

const writePython = (call: ApiCall) => `import json
import urllib.request

request = urllib.request.Request(
    "${urlOf(call)}",${
      call.body
        ? `\n    data=json.dumps(${indented(JSON.stringify(call.body, null, 4), "    ")}).encode(),`
        : ""
    }
    headers={
        "Authorization": "Bearer ${call.credential}",${
          call.body ? `\n        "Content-Type": "application/json",` : ""
        }
        "User-Agent": "${USER_AGENT}",
    },
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`;

function writePhp(call: ApiCall): string {
  const fields = Object.entries(call.body ?? {}).map(
    ([name, value]) => `\n        ${phpText(name)} => ${phpText(value)},`,
  );
  return `<?php
$context = stream_context_create(['http' => [${call.body ? `\n    'method' => 'POST',` : ""}
    'header' => [
        ${phpText(`Authorization: Bearer ${call.credential}`)},${
          call.body ? `\n        'Content-Type: application/json',` : ""
        }
    ],
    'user_agent' => '${USER_AGENT}',
    'ignore_errors' => true, // returns the body of a refusal, too${
      call.body ? `\n    'content' => json_encode([${fields.join("")}\n    ]),` : ""
    }
]]);
echo file_get_contents(${phpText(urlOf(call))}, false, $context), "\\n";`;
}

function writeGo(call: ApiCall): string {
  const body = call.body && indented(goText(jsonOf(call.body)), "\t");
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"${body ? `\n\t"strings"` : ""}
)

func main() {${body ? `\n\tbody := strings.NewReader(${body})` : ""}
	request, err := http.NewRequest("${body ? "POST" : "GET"}", "${urlOf(call)}", ${body ? "body" : "nil"})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer ${call.credential}")${
    body ? `\n\trequest.Header.Set("Content-Type", "application/json")` : ""
  }
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(answer))
}`;
}

export const LANGUAGES: readonly [Language, ...Language[]] = [
  { name: "curl", grammar: "sh", write: writeCurl },
  { name: "Node, fetch", grammar: "js", write: writeFetch },
  { name: "Node, client", grammar: "js", write: writeClient },
  { name: "Python", grammar: "python", write: writePython },
  { name: "PHP", grammar: "php", write: writePhp },
  { name: "Go", grammar: "go", write: writeGo },
];

/** Returns the first call of a new program: an email to one person. */
export const firstSend = (to: {
  origin: string;
  projectId: string;
  key: string;
  email: string;
}): ApiCall => ({
  origin: to.origin,
  path: `/projects/${to.projectId}/send`,
  body: { to: to.email, subject: "Hello", html_body: "<p>It works.</p>" },
  credential: to.key,
  operation: "projects.send",
  params: { projectId: to.projectId },
});
