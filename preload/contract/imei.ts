/** True when `text` is 15 digits whose last one is the Luhn check digit. */
export function isValidImei(text: string): boolean {
  if (!/^\d{15}$/.test(text)) return false
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const digit = Number(text[i])
    const weighted = i % 2 === 1 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}

export interface DeviceName {
  model: string
  imei: string
}

/** Splits `<model>-<IMEI>`, in any case, with or without `.local`. Undefined for any other name or a wrong check digit. */
export function parseDeviceName(hostName: string): DeviceName | undefined {
  const bare = hostName.replace(/\.$/, '').replace(/\.local$/i, '')
  const match = /^([a-z0-9][a-z0-9-]*)-(\d{15})$/i.exec(bare)
  if (!match?.[1] || !match[2] || !isValidImei(match[2])) return undefined
  return { model: match[1], imei: match[2] }
}
