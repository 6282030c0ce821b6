// Shows the OpenAPI document of this deployment. Nothing comes from another site.
window.ui = window.SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  filter: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
});
