import type { OpenForm } from "../../../services/forms/index.ts";
import { buttonOf, inputsOf, siteKeyOf } from "./form-page.ts";

const STYLE = `:host{display:block;max-width:30rem}form{display:grid;gap:.75rem}p{margin:0}.field{border:0;margin:0;padding:0;display:grid;gap:.25rem}label small{opacity:.75}.field>input,select{box-sizing:border-box;width:100%;padding:.5rem;font:inherit;color:inherit;background:0 0;border:1px solid;border-radius:.4rem}option{color:#000}button{justify-self:start;padding:.5rem 1rem;font:inherit;font-weight:600;cursor:pointer}.lines{white-space:pre-line}.fault{font-weight:600}.fault:empty,p:empty{display:none}.trap{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}`;

/**
 * The program of the script, which is called with the data of a form: shows the form in a shadow
 * root after its tag, and posts it without leaving the page. It sets no cookies and loads nothing.
 */
const PROGRAM = `(f=>{let h=document.createElement("div"),r=h.attachShadow({mode:"open"}),s=new CSSStyleSheet,q=x=>r.querySelector(x);document.currentScript.after(h);s.replaceSync(f.css);r.adoptedStyleSheets=[s];r.innerHTML=f.html;let e=q("form"),p=q("[role]"),b=q("button");if(!f.page)e.onsubmit=async v=>{v.preventDefault();b.disabled=true;try{let a=await fetch(f.url,{method:"POST",credentials:"omit",headers:{Accept:"application/json"},body:new URLSearchParams(new FormData(e))}),t=await a.json();for(let m of r.querySelectorAll(".fault")){let x=m.dataset.for,w=m.textContent=(t.details||[]).find(d=>d.path==x)?.message??"";for(let i of e.elements)if(i.name==x)w?i.setAttribute("aria-invalid",true):i.removeAttribute("aria-invalid")}p.textContent=t.message||t.error;if(a.ok){if(t.redirect_url)location.href=t.redirect_url;e.replaceWith(p)}}catch{let a=document.createElement("a");a.href=a.textContent=f.url;p.replaceChildren(a)}b.disabled=false}})`;

/**
 * Returns the script that embeds a form. A form with Turnstile posts to its page, which shows the
 * widget: a shadow root cannot.
 */
export async function formScript(open: OpenForm, url: string): Promise<string> {
  const [inputs, button] = await Promise.all([inputsOf(open), buttonOf(open)]);
  const html = `<form method="post" action="${url}"><p role="alert"></p>${inputs}${button}</form>`;
  const form = {
    url,
    page: siteKeyOf(open) !== "",
    css: STYLE,
    html: html.replaceAll(/\n +/g, " "), // indentation, which no text of a form begins a line with
  };
  return `${PROGRAM}(${JSON.stringify(form)})`;
}
