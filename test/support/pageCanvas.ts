/** The page of these tests draws nothing; drawing calls are silently accepted. */
export function acceptDrawing(): void {
  const taken = () => undefined
  const context = new Proxy({} as Record<string, unknown>, {
    get: (target, name) => (typeof name === 'string' ? (target[name] ?? taken) : undefined),
    set: (target, name, value) => Reflect.set(target, name, value)
  })
  HTMLCanvasElement.prototype.getContext = (() => context) as never
}
