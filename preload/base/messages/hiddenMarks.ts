/**
 * Marks of direction, of width zero and of order that chats, web pages and spreadsheets add around a text: nobody sees
 * or types them.
 */
const marks = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g
/** Joiners belong to letters of some scripts and to emoji; beside ASCII or at an end they are left from copying. */
const looseJoiners = /(?<=^|[\0-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?=$|[\0-\x7f])/g

/** The text without invisible marks, and with plain spaces instead of those that do not break. */
export function removeHiddenMarks(text: string): string {
  return text
    .replace(marks, '')
    .replace(looseJoiners, '')
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
}

/**
 * A number that is printed in groups, such as that of a key, in one piece: without spaces, invisible marks, colons,
 * points and dashes.
 */
export function withoutSeparators(text: string): string {
  return text.replaceAll(/[\s\p{Cf}:.-]/gu, '')
}

/** A Bluetooth address from any notation: 12 capital hexadecimal characters. */
export function bareMac(text: string): string {
  return withoutSeparators(text).toUpperCase()
}

/** The number of invisible marks in it. */
export function countHiddenMarks(text: string): number {
  return [...text.matchAll(marks)].length + [...text.replace(marks, '').matchAll(looseJoiners)].length
}
