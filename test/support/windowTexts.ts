import { loadLaterTexts } from '../../renderer/say.ts'

// The page loads its language before it shows anything; a test may show either at once.
await Promise.all([loadLaterTexts('en'), loadLaterTexts('es')])
