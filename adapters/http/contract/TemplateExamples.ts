import { created_at, workspace } from "./Examples.ts"

export const template_id = "tmpl_01jd4xm9n2m7c5v9b3n6k1t0r8"

export const draft = {
  name: "appointment_reminder",
  language: "en_US",
  category: "utility",
  parameter_format: "positional",
  components: [
    { type: "header", format: "text", text: "Your appointment" },
    {
      type: "body",
      text: "Hello {{1}}, we expect you on {{2}}. Does that still suit you?",
      example: { body_text: [["Ada", "Friday at 10:30"]] }
    },
    { type: "footer", text: "The practice" },
    {
      type: "buttons",
      buttons: [
        { type: "quick_reply", text: "Yes" },
        {
          type: "url",
          text: "Another day",
          url: "https://example.com/appointments/{{1}}",
          example: ["https://example.com/appointments/a-1017"]
        },
        { type: "phone_number", text: "Call us", phone_number: "+14155550100" }
      ]
    }
  ]
}

export const template = {
  id: template_id,
  customer_id: workspace,
  ...draft,
  provider_template_id: "108234597124410932217",
  status: "approved",
  rejection_reason: null,
  created_at,
  updated_at: created_at
}
