/** The choices for the length of a silence, in seconds. */
export const silences = [120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400] as const
