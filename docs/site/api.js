// Shows the OpenAPI document of this deployment, in the colors of the browser. Nothing comes from
// another site.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const color = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", color);
color();

window.ui = window.SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#api",
  deepLinking: true,
  filter: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
