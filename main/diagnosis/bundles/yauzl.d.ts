declare module 'yauzl' {
  /** What the directory of an archive says of one of its files; nothing of it is true because it stands there. */
  export interface Entry {
    /** As it stands there: decoded and checked it would be with `decodeStrings`. */
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
