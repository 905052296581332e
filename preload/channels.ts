/** The channels between the window and main. They stay inside the shells: the page never learns them. */
export const callChannel = 'fitter:call'
export const eventChannel = 'fitter:event'
/** A sign of life, so often that the page knows within 2 s that nobody is there any more. */
export const beatChannel = 'fitter:beat'
export const beatMs = 400
