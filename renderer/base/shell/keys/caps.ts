import { t } from '../../texts.ts'

/** What is printed on the keys of a binding: `ctrl+k` is Ctrl and K. */
export function capsOf(keys: string): string[] {
  return keys === '' ? [] : keys.split(' ').flatMap((key) => key.split(/\+(?=.)/).map(capOf))
}

function capOf(key: string): string {
  switch (key) {
    case 'ctrl':
    case 'shift':
    case 'enter':
    case 'space':
    case 'escape':
    case 'up':
    case 'down':
    case 'right':
    case 'tab':
      return t(`windowKeys.cap.${key}`)
    default:
      return key.toUpperCase()
  }
}
