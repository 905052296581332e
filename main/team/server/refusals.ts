import { refusalOf, type TeamRefusal } from './failures.ts'

/** The result of a team log function, or its refusal; every other failure is thrown. */
export async function orRefusal<T>(asked: Promise<T>): Promise<{ refusal: null; value: T } | { refusal: TeamRefusal; detail: string }> {
  try {
    return { refusal: null, value: await asked }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return { refusal, detail: String((error as { detail?: unknown }).detail ?? '') }
  }
}
