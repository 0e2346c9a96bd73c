import { Tabs } from "../components/Tabs.tsx"

const tabs = [
  ["/numbers", "Own"],
  ["/numbers/available", "Available"],
  ["/numbers/do-not-call", "Do not call"]
] as const

export const NumberTabs = () => <Tabs label="Numbers" tabs={tabs} />
