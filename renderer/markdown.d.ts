/** A page of the guide, compiled to a component when the page of the window is built. */
declare module '*.md' {
  import type { Component } from 'vue'
  const article: Component
  export default article
}
