import { Tabs } from "../components/Tabs.tsx"

const tabs = [
  ["/tests", "Suites"],
  ["/tests/runs", "Runs"]
] as const

export const TestTabs = () => <Tabs label="Tests" tabs={tabs} />
