/** Called during long work: how much of how much is done. */
export type Progress = (done: number, total: number) => void
