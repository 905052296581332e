/**
 * The name of an engine-bus parameter in any spelling: `ECU_RPM`, `ecu_rpm` and `rpm` are the same. Names of the
 * maker's lists have spaces and signs (`VD - TOTAL VEHICLE DISTANCE`), which a field of the gateway cannot have.
 */
export function busName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .replace(/^ecu_/, '')
}
