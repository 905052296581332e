declare module 'yauzl' {
  /** One file in the directory of an archive; all of these values are unverified. */
  export interface Entry {
    /** The raw name: only `decodeStrings` would decode and check it. */
    fileName: Buffer
    generalPurposeBitFlag: number
    compressionMethod: number
    crc32: number
    compressedSize: number
    uncompressedSize: number
    versionMadeBy: number
    externalFileAttributes: number
    relativeOffsetOfLocalHeader: number
    isEncrypted(): boolean
  }

  export interface LocalFileHeader {
    fileDataStart: number
    generalPurposeBitFlag: number
    compressionMethod: number
    crc32: number
    compressedSize: number
    uncompressedSize: number
    fileName: Buffer
  }

  export interface ZipFile {
    readonly entryCount: number
    eachEntry(): AsyncIterable<Entry>
    readLocalFileHeaderPromise(entry: Entry): Promise<LocalFileHeader>
  }

  export function fromFdPromise(fd: number, options: { autoClose: boolean; decodeStrings: boolean }): Promise<ZipFile>
}
