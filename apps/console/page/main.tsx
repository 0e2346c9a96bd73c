import { render } from "preact"
import { App } from "./App.tsx"
import { begin } from "./router/Location.ts"
import "./styles/main.css"

begin()
render(<App />, document.querySelector("#app")!)
