import { loadLanguage } from '../../renderer/say.ts'

// The page loads its language before it shows anything; a test may show either at once.
await Promise.all([loadLanguage('en'), loadLanguage('es')])
