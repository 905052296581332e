/** Written by bin/catalogues.ts while the page is built, from the folders of resources/messages. */
declare module 'virtual:fitter-catalogues' {
  type Texts = Promise<{ texts: Readonly<Record<string, string>> }>
  export const languages: readonly { value: string; text: string }[]
  export const loaders: Readonly<Record<string, { first(): Texts; rest(): Texts }>>
}
