import { render } from "preact"
import { App } from "./App.tsx"
import { beginLive } from "./data/Live.ts"
import { begin } from "./router/Location.ts"
import "./styles/main.css"

begin()
beginLive()
render(<App />, document.querySelector("#app")!)
