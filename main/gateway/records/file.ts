/** A file that the gateway or an engine sent: text where it is text, else base64. */
export interface GatewayFile {
  mediaType: string
  text?: string
  base64?: string
}
