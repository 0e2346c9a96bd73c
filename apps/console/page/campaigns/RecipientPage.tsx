import { useSignal } from "@preact/signals"
import type { Recipient, RecipientChange } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { LongTextField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { Page, Section } from "../components/Page.tsx"
import { Empty, Failure, Shown } from "../components/States.tsx"
import { Table } from "../components/Table.tsx"
import { type Fact, Facts, Raw, Status, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { words } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, to } from "../router/Location.ts"
import { attemptColumns } from "./AttemptList.tsx"
import { Pairs } from "./Pairs.tsx"
import { outcomeOf } from "./RecipientList.tsx"

const isUnderWay = ({ status }: Recipient) => status === "in_progress" || status === "retry_scheduled"

const factsOf = (recipient: Recipient): ReadonlyArray<Fact> => [
  ["Outcome", <Status value={outcomeOf(recipient)} />],
  [
    "Reason",
    typeof recipient.outcome["sub_status"] === "string" ? words(recipient.outcome["sub_status"]) : null
  ],
  ["Qualification", recipient.qualification_status && <Status value={recipient.qualification_status} />],
  ["Sentiment", recipient.sentiment && <Status value={recipient.sentiment} />],
  ["Next try", recipient.next_action_at && <Time at={recipient.next_action_at} full />],
  [
    "Last message",
    recipient.last_customer_message_at && <Time at={recipient.last_customer_message_at} full />
  ],
  ["Added", <Time at={recipient.created_at} full />]
]

/** Its variables and its zone, which may be changed while no call is under way. */
const Edit = (props: { readonly recipient: Recipient; readonly onChanged: () => void }) => {
  const { campaign_id, id, timezone, variables } = props.recipient
  const text = useSignal(JSON.stringify(variables, null, 2))
  const zone = useSignal(timezone ?? "")
  const saving = useAction(async (api) => {
    await api.recipients.update(campaign_id, id, {
      variables: JSON.parse(text.value) as NonNullable<RecipientChange["variables"]>,
      timezone: zone.value.trim() === "" ? null : zone.value.trim()
    })
    notify("The recipient was changed.")
    props.onChanged()
  })
  return (
    <Form
      action={saving}
      submit="Change the recipient"
      busy="Changing…"
      failure="The recipient was not changed."
      isPrimary={false}
    >
      <LongTextField
        label="Variables, as JSON"
        rows={6}
        isCode
        required
        value={text.value}
        onChange={(value) => (text.value = value)}
      />
      <TextField
        label="Time zone"
        hint="The calling window is moved to it, such as Europe/Paris. Empty: the campaign's."
        value={zone.value}
        onChange={(value) => (zone.value = value)}
      />
    </Form>
  )
}

const Actions = (props: { readonly recipient: Recipient; readonly onChanged: () => void }) => {
  const { campaign_id, id, status } = props.recipient
  const retrying = useAction(async (api) => {
    await api.recipients.retry(campaign_id, id)
    notify("The recipient waits for a call again.")
    props.onChanged()
  })
  const removing = useAction(async (api) => {
    await api.recipients.remove(campaign_id, id)
    notify("The recipient was removed.")
    navigate(to(`/campaigns/${campaign_id}/recipients`))
  })
  return (
    <>
      {retrying.error !== null && <Failure error={retrying.error} />}
      {status !== "pending" && (
        <button
          type="button"
          class="button"
          disabled={retrying.busy || isUnderWay(props.recipient)}
          onClick={() => void retrying.run()}
        >
          Call again
        </button>
      )}
      <ConfirmButton
        label="Remove"
        question="Remove this recipient from the campaign? Its calls stay."
        act={removing}
        disabled={isUnderWay(props.recipient)}
      />
    </>
  )
}

export const RecipientPage = ({
  params
}: {
  readonly params: { readonly campaign_id?: string; readonly recipient_id?: string }
}) => {
  const campaign_id = params.campaign_id!
  const id = params.recipient_id!
  const found = useResource(
    async (api, options) => {
      const [recipient, attempts] = await Promise.all([
        api.recipients.get(campaign_id, id, options),
        api.campaigns.attempts(campaign_id, { recipient_id: id, limit: 100 }, options)
      ])
      return { recipient, attempts: attempts.data }
    },
    [campaign_id, id]
  )
  useLive(found.reload, (event) => event.type === "campaign" && event.record.id === campaign_id)
  const recipient = found.data?.recipient ?? null
  return (
    <Page
      title={recipient?.phone_number_masked ?? "Recipient"}
      aside={recipient === null ? null : <Status value={recipient.status} />}
      actions={recipient === null ? undefined : <Actions recipient={recipient} onChanged={found.reload} />}
    >
      <Shown resource={found} what="the recipient">
        {({ attempts, recipient }) => (
          <>
            <Facts facts={factsOf(recipient)} />
            <Section title="Answers">
              <Pairs of={recipient.answers} />
            </Section>
            <Section title="Attempts">
              {attempts.length === 0 ? (
                <Empty title="No attempts yet" />
              ) : (
                <Table
                  caption="Attempts for this recipient, newest first"
                  columns={attemptColumns}
                  rows={attempts}
                  id={(attempt) => attempt.id}
                  {...(attempts[0]!.channel === "voice" && {
                    href: ({ call_id }: (typeof attempts)[number]) => to(`/calls/${call_id}`)
                  })}
                />
              )}
            </Section>
            <Section title="Variables">
              {isUnderWay(recipient) ? (
                <>
                  <Pairs of={recipient.variables} />
                  <p class="hint">They can be changed once the call is over.</p>
                </>
              ) : (
                <Edit key={recipient.updated_at} recipient={recipient} onChanged={found.reload} />
              )}
            </Section>
            <Raw title="The recipient's record" value={recipient} />
          </>
        )}
      </Shown>
      <p>
        <a href={to(`/campaigns/${campaign_id}/recipients`)}>All recipients of the campaign</a>
      </p>
    </Page>
  )
}
