import { html } from "hono/html";
import { buttonStyle } from "../../../lib/page-style.ts";
import type { OpenForm } from "../../../services/forms/index.ts";
import { brandOfForm, headingOf } from "./form-look.ts";
import { buttonOf, inputsOf, siteKeyOf } from "./form-page.ts";

const STYLE = `:host{display:block;max-width:30rem}form{display:grid;gap:.75rem}p{margin:0}.field{border:0;margin:0;padding:0;display:grid;gap:.25rem}label small{opacity:.75}.field>input,select{box-sizing:border-box;width:100%;padding:.5rem;font:inherit;color:inherit;background:0 0;border:1px solid;border-radius:.4rem}option{color:#000}img{max-width:100%}h2{margin:0}button{justify-self:start}.lines{white-space:pre-line}.fault{font-weight:600}.fault:empty,p:empty{display:none}.trap{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}`;

const CENTERED = ":host{margin:auto}h2,p{text-align:center}button,img{justify-self:center}";

/**
 * The program of the script, which is called with the data of a form: shows the form in a shadow
 * root after its tag, and posts it without leaving the page. It sets no cookies, and loads
 * nothing but the logo.
 */
const PROGRAM = `(f=>{let h=document.createElement("div"),r=h.attachShadow({mode:"open"}),s=new CSSStyleSheet,q=x=>r.querySelector(x);document.currentScript.after(h);s.replaceSync(f.css);r.adoptedStyleSheets=[s];r.innerHTML=f.html;let e=q("form"),p=q("[role]"),b=q("button");if(!f.page)e.onsubmit=async v=>{v.preventDefault();b.disabled=true;try{let a=await fetch(f.url,{method:"POST",credentials:"omit",headers:{Accept:"application/json"},body:new URLSearchParams(new FormData(e))}),t=await a.json();for(let m of r.querySelectorAll(".fault")){let x=m.dataset.for,w=m.textContent=(t.details||[]).find(d=>d.path==x)?.message??"";for(let i of e.elements)if(i.name==x)w?i.setAttribute("aria-invalid",true):i.removeAttribute("aria-invalid")}p.textContent=t.message||t.error;if(a.ok){if(t.redirect_url)location.href=t.redirect_url;e.replaceWith(p)}}catch{let a=document.createElement("a");a.href=a.textContent=f.url;p.replaceChildren(a)}b.disabled=false}})`;

/**
 * Returns the script that embeds a form. A form with Turnstile posts to its page, which shows the
 * widget: a shadow root cannot.
 */
export async function formScript(open: OpenForm, url: string): Promise<string> {
  const parts = await html`${headingOf(open)}
    <p role="alert"></p>
    ${inputsOf(open)}${buttonOf(open)}`;
  const align = open.form.content.align === "center" ? CENTERED : "";
  const form = {
    url,
    page: siteKeyOf(open) !== "",
    css: `${STYLE}button{${buttonStyle(brandOfForm(open))}}${align}`,
    html: `<form method="post" action="${url}">${parts}</form>`.replaceAll(/\n +/g, " "), // indentation, which no text of a form begins a line with
  };
  return `${PROGRAM}(${JSON.stringify(form)})`;
}
