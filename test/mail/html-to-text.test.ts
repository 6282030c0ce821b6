import { describe, expect, it } from "vitest";
import { htmlToText } from "../../src/mail/html/to-text.ts";
import inlineStyles from "../fixtures/newsletters/inline-styles.html?raw";
import shopReceipt from "../fixtures/newsletters/shop-receipt.html?raw";
import tableLayout from "../fixtures/newsletters/table-layout.html?raw";
import { isLinear } from "../support/growth.ts";

describe("the text of HTML", () => {
  it.each([
    ["", ""],
    ["plain", "plain"],
    ["<p>one</p><p>two</p>", "one\n\ntwo"],
    ["<h1>Title</h1>text", "Title\n\ntext"],
    ["<div>one</div><div>two</div>", "one\ntwo"],
    ["<div><div><div>one</div></div></div>two", "one\ntwo"],
    ["one<br>two<br/><br>three<br><br><br><br>four", "one\ntwo\n\nthree\n\nfour"],
    ["  a \n\t b<b> c </b>d <i>e</i>f", "a b c d ef"],
    ["a&nbsp;&nbsp;b&zwnj; &#847;&shy;c", "a b\u200c c"],
    ["x&nbsp;&zwnj;&nbsp;&zwnj;&#8203;&#65279;", "x"],
    [
      "R&D &amp;amp; &lt;b&gt; &euro;5 &copy 2026 &#128140; &hellip;",
      "R&D &amp; <b> €5 © 2026 💌 …",
    ],
    ["&bigstar; &ltb> &nosuchname; &notit; &NotEqualTilde;", "★ <b> &nosuchname; ¬it; ≂̸"],
    ["1 < 2 > 1 <3 & </3 gone>", "1 < 2 > 1 <3 &"],
    ["a<hr>b", "a\n\n----\n\nb"],
    ["<ul><li>one<li>two</ul>after", "- one\n- two\n\nafter"],
    ["<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"],
    ["<ul><li>a<ol><li>b<li>c</ol><li>d<ul></ul></ul>", "- a\n  1. b\n  2. c\n- d"],
    ["<li>stray", "- stray"],
    ["<ol start=3><li>c<li>d</ol>", "3. c\n4. d"],
    ["<ol start=-1><li>a<li>b<li>c</ol>", "-1. a\n0. b\n1. c"],
    [
      "<ol start=x><li>a<li value=9>b<li value=y>c<ul><li value=5>d</ul></ol>",
      "1. a\n9. b\n10. c\n  - d",
    ],
    ["<table><tr><th>a<th>b<tr><td>1</td><td>2</td></tr></table>", "a | b\n1 | 2"],
    ["<table><tr><td></td><td>only</td><td></td></tr></table>", "only"],
    ["<pre>\n a\r\n  b</pre>c   d", "a\n  b\n\nc d"],
    ["<style>p{}</style><title>t</title><script>s</script><textarea>x</textarea>y", "y"],
    ["a<!-- b --><!--[if mso]>c<![endif]--><![if !mso]>d<![endif]><?e?><!doctype f>g", "adg"],
    ['<div style="color:red; Display : NONE">a<div>b</div>c</div><p>d', "d"],
    ['<span style="display:none">never closed', ""],
    ["a<b hidden>b</b>c<i HIDDEN=until-found>d<i>e</i></i>f", "acf"],
    ['<p style="display:none">a<b>b</b><p>c<p hidden>d<div>e</div>', "c\ne"],
    ["<ul><li hidden>a<ul><li>b</li></ul></li><li>d</ul>f", "- d\n\nf"],
    [
      "<table><tr><td hidden>a<table><tr><td>x</td></table>y</td><td>b<tr hidden><td>c</tr><tr><td>d</table>e",
      "b\nd\n\ne",
    ],
    ['<img hidden alt="a"><br hidden><area hidden href="https://a.example/">b', "b"],
    ['<a hidden href="https://a.example/">a</a>b', "b"],
    ["a<p never closed", "a"],
    ["a<!-- never closed", "a"],
    ["a<script>never closed", "a"],
    ["</p></ul></ol></pre></a></td>x", "x"],
  ])("%j is %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it.each([
    ['<a href="https://a.example/x?a=1&amp;b=2">go</a>!', "go (https://a.example/x?a=1&b=2)!"],
    ['see <a href="https://a.example/">a.example</a>.', "see a.example."],
    ['<a href="https://A.example">https://a.example/</a>', "https://a.example/"],
    ['<a href="mailto:x@a.example">x@a.example</a>', "x@a.example"],
    ['<a href="mailto:x@a.example">write</a>', "write (mailto:x@a.example)"],
    ['<a href="#top">top</a> <a href="/x">x</a> <a name="y">y</a>', "top x y"],
    ['<a href="https://a.example/"> <b>bold</b> </a> after', "bold (https://a.example/) after"],
    [
      '<a href="https://a.example/"><img src="x" alt="The logo"></a>',
      "The logo (https://a.example/)",
    ],
    ['<a href="https://a.example/"><img src="x" alt=""></a>', "https://a.example/"],
    ['<a href="https://a.example/"><p>block</p></a>next', "block (https://a.example/)\n\nnext"],
    [
      '<a href="https://a.example/">one<a href="https://b.example/">two',
      "one (https://a.example/)two (https://b.example/)",
    ],
    ['<a href=" https://a.example/\n  b ">wrapped</a>', "wrapped (https://a.example/%20%20b)"],
    [
      '<a href="https://a.example/x/AbC">https://a.example/x/abc</a>',
      "https://a.example/x/abc (https://a.example/x/AbC)",
    ],
    ['<a href="https://a.example/AbC">A.example/AbC</a>', "A.example/AbC"],
    ['<a href="mailto:X@a.example">x@A.example</a>', "x@A.example"],
    [
      '<map><area href="https://a.example/" alt="Shop"><area href="https://b.example/"><area alt="x"></map>y',
      "Shop (https://a.example/)\nhttps://b.example/\ny",
    ],
    ["<img alt='A &amp; B'><img><img alt=>", "A & B"],
  ])("of links and images: %j is %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it("of a table-based newsletter reads like a letter", () => {
    expect(htmlToText(tableLayout)).toBe(
      [
        "Orchard & Sons (https://orchard.example/?utm_source=news&utm_medium=email&utm_campaign=autumn%202026)",
        "",
        "What is ripe now",
        "",
        "Dear Renée,",
        "the pears are here. See all pears (https://orchard.example/pears?kind=conférence&n=1) or the plums (https://orchard.example/plums?a=1&b=2&c=3).",
        "",
        "Order (https://orchard.example/order?lang=en&copy=1&reg=2&sect=3)",
        "",
        "Tarte (https://orchard.example/recipes/tarte-tatin?utm_source=news&utm_content=card%2Dleft)",
        "",
        "Quince jelly (HTTPS://Orchard.Example/Recipes?ID=12&V=2#Step-2)",
        "",
        "Reply to hello@orchard.example (mailto:hello@orchard.example?subject=Pears%20&%20plums) or call +43 1 23 45 (tel:+4312345). Top",
        "Preferences · Forward (https://orchard.example/forward?e=[UNIQID]&c=8f2a&tag=*|MC:TAG|*)",
        "Unsubscribe (https://orchard.example/unsubscribe/abc)",
        "Copyright © 2026 Orchard & Sons, all rights reserved.",
      ].join("\n"),
    );
  });

  it("keeps lists, code, rules and table rows", () => {
    const text = htmlToText(inlineStyles);
    expect(text).toContain(
      "- Docs: https://docs.dev.example/en/latest/#install\n- Chat: irc, nothing, data, no\n",
    );
    expect(text).toContain(
      "1. Pull image:4.2\n2. Restart\n\n$ tool upgrade --to 4.2\n  done <ok>\n\nIt just works.\n\n----\n\nVersion | Date\n4.2 | 2026-10-01\n4.1 | 2026-07-01\n\n",
    );
    expect(text).not.toContain("in-script");
  });

  it("tolerates omitted tags", () => {
    const text = htmlToText(shopReceipt);
    expect(text).toContain(
      "Item | Qty | Price\nBlue mug (https://shop.example/p/1?c=a&d=b) | 2 | € 18,00\n",
    );
    expect(text).toContain("1 < 2 && 3 > 2, AT&T, R&D; nested last (https://shop.example/end)");
  });

  it.each(
    Object.entries({
      "open brackets": "<",
      "end tag openers": "</",
      "nested blocks": "<div>",
      "nested lists": "<ul><li>x",
      "nested hidden blocks": "<div style=display:none>",
      "links in links": "<a href=http://x.example>y",
      "unclosed quotes": "<a x='",
      "attributes without end": "<a b c=",
      "comment openers": "<!--",
      "style openers": "<style></",
      ampersands: "&a",
      "white space": " \u200c\n",
      "preformatted line breaks": "<pre>\n\r",
      slashes: "<a//////",
      cells: "<td>x",
      "line breaks": "<br>",
    }),
  )("takes linear time on %s", async (_, piece) => {
    const linear = await isLinear((size) => {
      const html = piece.repeat(Math.ceil(size / piece.length));
      const text = htmlToText(html);
      expect(text.length).toBeLessThanOrEqual(html.length * 3);
    }, 2 ** 19);
    expect(linear).toBe(true);
  });
});
