declare module 'proxy-from-env' {
  /** The proxy that the environment names for this address; empty where none is to be used. */
  export function getProxyForUrl(url: string): string
}
