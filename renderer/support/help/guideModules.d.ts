/** Written by bin/guide.ts while the page is built, from the folders of docs/guide. */
declare module 'virtual:fitter-guide' {
  type Pages = Readonly<Record<string, { article: import('vue').Component; markdown: string }>>
  export const loaders: Readonly<Record<string, () => Promise<{ pages: Pages }>>>
}
