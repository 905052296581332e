/** The channels between window and main. The page never learns their names. */
export const callChannel = 'fitter:call'
export const eventChannel = 'fitter:event'
/** Heartbeat interval: short enough for the page to notice within 2 s that the core is gone. */
export const beatChannel = 'fitter:beat'
export const beatMs = 400
