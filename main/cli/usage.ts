import { AppError } from '../../preload/contract/errors.ts'

export const usageText = `fitter COMMAND [options]

  discover [--timeout 5] [--watch]            devices around, by mDNS
  device HOST read [AREA...]                  readings: gps eth wifi hotspot modem io accelerometer system updates apps
  device HOST call OPERATION [--param k=v ...] [--body JSON] [--yes] [--confirm COMMAND]
  gateway login | logout | status
  gateway call OPERATION [--param k=v ...] [--body JSON] [--all] [--yes]
  job new --template ID --device HOST [--vehicle TEXT] [--customer TEXT] [--profile ID] [--another]
  job run ID [--answers FILE]                 the checklist, in the terminal
  job list [--state S] [--search TEXT] [--limit 100] [--after ID]
  job show ID | job templates
  job report ID --format pdf|csv|json --out FILE
  job verify FILE                             checks the seal of a JSON report
  operations list | operations retry|drop|close ID --reason TEXT
  sync [--once]                               sends what waits for the gateway
  data check | data backup --out FILE | data restore FILE
  simulate [--devices N] [--mdns] [--gateway] [--story NAME] [--seed N] [--fault NAME ...]
  serve [--port 0] [--training]               the UI for a browser on this computer
  doctor                                      what works, and what to do about the rest

Common options: --json  --data DIR  --gateway URL  --timeout SECONDS  --quiet
Credentials come from the keychain, from FITTER_GATEWAY_USER, FITTER_GATEWAY_PASSWORD, FITTER_DEVICE_USER,
FITTER_DEVICE_PASSWORD (this process only), or from a prompt. They are never an option.
Exit codes: 0 done, 1 a check failed or something needs attention, 2 usage, 3 not reachable, 4 not signed in or not
permitted, 5 data folder, 70 a fault in Fitter.`

/** A wrong command line: exit code 2, with what is right. */
export function usageError(message: string): AppError {
  return new AppError('INVALID_REQUEST', `${message} "fitter help" shows all commands.`)
}
