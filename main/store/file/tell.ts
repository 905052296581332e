/** Called during long work: how much of how much is done. */
export type Tell = (done: number, total: number) => void
