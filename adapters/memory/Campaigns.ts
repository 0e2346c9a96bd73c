import { Option } from "effect"
import type { Campaign, CampaignState } from "../../core/model/campaigns/Campaign.ts"
import type { OutcomeCount } from "../../core/model/campaigns/CampaignProgress.ts"
import type { CampaignFilter, CampaignRows } from "../../core/ports/CampaignRows.ts"
import type { ImportRows } from "../../core/ports/ImportRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { take } from "./Table.ts"
import type { TenantTables } from "./TenantTables.ts"

const admits = (filter: CampaignFilter) => {
  const { agent_id, created_after, created_before, status } = filter
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  return (campaign: Campaign): boolean =>
    (status === undefined || campaign.status === status) &&
    (agent_id === undefined || campaign.agent_id === agent_id) &&
    (created_after === undefined || campaign.created_at >= created_after) &&
    (created_before === undefined || campaign.created_at < created_before)
}

const stateOf = ({ campaigns }: TenantTables, campaign: Campaign): CampaignState => ({
  campaign,
  counters: campaigns.tallies.get(campaign.id)!
})

/** Counts by span, oldest first. */
const summed = (counts: Iterable<OutcomeCount>, span: number): ReadonlyArray<OutcomeCount> => {
  const sums = new Map<string, OutcomeCount>()
  for (const { at, count, outcome } of counts) {
    const begin = at - (at % span)
    const key = `${begin} ${outcome}`
    sums.set(key, { at: begin, outcome, count: (sums.get(key)?.count ?? 0) + count })
  }
  return Array.from(sums.values()).sort(
    (left, right) => left.at - right.at || (left.outcome < right.outcome ? -1 : 1)
  )
}

export const campaigns = ({ undo, read, write }: Store): CampaignRows => ({
  insert: ({ campaign, counters }) =>
    undo.verb(() => {
      write(campaign.customer_id).campaigns.table.insert(campaign)
      write(counters.customer_id).campaigns.tallies.insert(counters)
    }),
  get: (workspace_id, id) =>
    undo.verb(() => {
      const space = read(workspace_id)
      return Option.map(Option.fromNullable(space.campaigns.table.get(id)), (campaign) =>
        stateOf(space, campaign)
      )
    }),
  list: (workspace_id, filter, page) =>
    undo.verb(() => {
      const space = read(workspace_id)
      const { data, total } = space.campaigns.table.page(page, admits(filter))
      return { data: data.map((campaign) => stateOf(space, campaign)), total }
    }),
  update: (campaign) =>
    undo.verb(() => {
      const { table } = read(campaign.customer_id).campaigns
      const stored = table.get(campaign.id)
      if (stored === undefined) return
      table.set({ ...campaign, channel: stored.channel, created_at: stored.created_at })
    }),
  counters: (workspace_id, campaign_id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).campaigns.tallies.get(campaign_id))),
  saveCounters: (counters) =>
    undo.verb(() => {
      const { tallies } = read(counters.customer_id).campaigns
      if (tallies.get(counters.campaign_id) !== undefined) tallies.set(counters)
    }),
  due: (workspace_id, work, now, limit) =>
    undo.verb(() => {
      const space = read(workspace_id)
      const { due, table } = space.campaigns
      return take(due[work].ascending(), limit, (counters) => counters.due_at! <= now).map(
        ({ campaign_id }) => stateOf(space, table.get(campaign_id)!)
      )
    }),
  nextDue: (workspace_id, work, after) =>
    undo.verb(() =>
      Option.fromNullable(
        read(workspace_id).campaigns.due[work].find((counters) => (counters.due_at! > after ? 0 : -1))?.due_at
      )
    ),
  remove: (workspace_id, campaign_id) =>
    undo.verb(() => {
      const { campaigns, lists, openImports } = write(workspace_id)
      const { imports, outcomes, refused } = lists.read(campaign_id)
      for (const { at, outcome } of Array.from(outcomes.byAge.ascending()))
        outcomes.delete(`${at} ${outcome}`)
      for (const { from, import_id } of Array.from(refused.byAge.ascending())) {
        refused.delete(`${import_id} ${from}`)
      }
      for (const { id } of Array.from(imports.byAge.ascending())) {
        imports.delete(id)
        openImports.delete(id)
      }
      campaigns.tallies.delete(campaign_id)
      campaigns.table.delete(campaign_id)
    }),
  countOutcome: (workspace_id, campaign_id, at, outcome, count) =>
    undo.verb(() => {
      const { outcomes } = write(workspace_id).lists.write(campaign_id)
      outcomes.set({ at, outcome, count: (outcomes.get(`${at} ${outcome}`)?.count ?? 0) + count })
    }),
  outcomes: (workspace_id, campaign_id, from, until, span) =>
    undo.verb(() => {
      const { byAge } = read(workspace_id).lists.read(campaign_id).outcomes
      const counted = take(
        byAge.ascending(({ at }) => at - from),
        Infinity,
        ({ at }) => at < until
      )
      return summed(counted, span)
    })
})

export const imports = ({ undo, read, readAll, write }: Store): ImportRows => ({
  insert: (campaignImport, due_at) =>
    undo.verb(() => {
      const { completed_at, customer_id, campaign_id, id } = campaignImport
      const { lists, openImports } = write(customer_id)
      lists.write(campaign_id).imports.insert(campaignImport)
      if (completed_at === null) openImports.insert({ customer_id, campaign_id, id, due_at })
    }),
  renew: ({ customer_id, campaign_id, id }, due_at) =>
    undo.verb(() => {
      const { openImports } = read(customer_id)
      const open = openImports.get(id)
      if (open?.campaign_id === campaign_id) openImports.set({ ...open, due_at })
    }),
  overdue: (now, limit) =>
    undo.verb(() => {
      const open = Array.from(readAll(), ({ openImports }) =>
        take(openImports.byAge.ascending(), limit, ({ due_at }) => due_at <= now)
      )
      const oldest = open.flat().sort((a, b) => a.due_at - b.due_at)
      return oldest
        .slice(0, limit)
        .map(({ campaign_id, customer_id, id }) => ({ campaign_id, customer_id, id }))
    }),
  getOverdue: ({ customer_id, campaign_id, id }, now) =>
    undo.verb(() => {
      const { lists, openImports } = read(customer_id)
      const open = openImports.get(id)
      return open?.campaign_id === campaign_id && open.due_at <= now
        ? Option.fromNullable(lists.read(campaign_id).imports.get(id))
        : Option.none()
    }),
  get: (workspace_id, campaign_id, id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).lists.read(campaign_id).imports.get(id))),
  list: (workspace_id, campaign_id, page) =>
    undo.verb(() => read(workspace_id).lists.read(campaign_id).imports.page(page)),
  update: (campaignImport) =>
    undo.verb(() => {
      const { lists, openImports } = read(campaignImport.customer_id)
      const table = lists.read(campaignImport.campaign_id).imports
      const stored = table.get(campaignImport.id)
      if (stored === undefined || stored.completed_at !== null) return false
      if (campaignImport.completed_at !== null) openImports.delete(stored.id)
      table.set({
        ...stored,
        status: campaignImport.status,
        total_rows: campaignImport.total_rows,
        accepted_rows: campaignImport.accepted_rows,
        rejected_rows: campaignImport.rejected_rows,
        errors: campaignImport.errors,
        completed_at: campaignImport.completed_at
      })
      return true
    }),
  addErrors: ({ campaign_id, customer_id, id }, errors) =>
    undo.verb(() => {
      const { refused } = write(customer_id).lists.write(campaign_id)
      refused.insert({ import_id: id, from: errors[0]!.row, errors })
    }),
  errorsAfter: ({ campaign_id, customer_id, id }, row) =>
    undo.verb(() => {
      const { byAge } = read(customer_id).lists.read(campaign_id).refused
      const [slice] = byAge.ascending(({ from, import_id }) => byText(import_id, id) || from - (row + 1))
      return slice?.import_id === id ? slice.errors : []
    })
})
