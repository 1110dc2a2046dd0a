using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BufferedMessages.Segments;

/// <summary>The mapping of a whole file. It is released when the handle is closed, or collected.</summary>
internal abstract unsafe class FileMapping() : SafeHandle(0, ownsHandle: true)
{
    /// <summary>The first byte.</summary>
    public byte* Start => (byte*)handle;

    public override bool IsInvalid => handle == 0;

    /// <summary>Maps the first bytes of a file.</summary>
    /// <param name="file">The file, opened for the access of the mapping.</param>
    /// <param name="path">Its path, for the message.</param>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="isWritable">Whether the mapping can be written to.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    public static FileMapping Open(SafeFileHandle file, string path, long bytes, bool isWritable) =>
        LinuxKernel.IsSupported ? new LinuxMapping(file, path, bytes, isWritable) : new PortableMapping(file, bytes, isWritable);

    /// <summary>Deletes a file that this process may have mapped before.</summary>
    public static void Delete(string path)
    {
        EndKept();
        File.Delete(path);
    }

    /// <summary>Renames a file, and replaces another one that this process may have mapped before.</summary>
    public static void Replace(string path, string replaced)
    {
        EndKept();
        File.Move(path, replaced, overwrite: true);
    }

    /// <summary>Ends the kept mappings where they are in the way: Windows refuses to delete, replace or truncate a mapped file.</summary>
    public static void EndKept()
    {
        if (OperatingSystem.IsWindows())
        {
            PortableMapping.EndAllKept();
        }
    }

    /// <summary>Hands the changes made through the mapping to the operating system, if it does not notice them itself.</summary>
    public abstract void Flush();

    /// <summary>A mapping whose addresses stay memory of this process after its end.</summary>
    private sealed class LinuxMapping : FileMapping
    {
        private readonly nuint _bytes;

        public LinuxMapping(SafeFileHandle file, string path, long bytes, bool isWritable)
        {
            _bytes = (nuint)bytes;
            SetHandle((nint)AddressSpace.Map(file, path, _bytes, isWritable));
        }

        public override void Flush()
        {
        }

        protected override bool ReleaseHandle()
        {
            AddressSpace.Release(Start, _bytes);
            return true;
        }
    }

    /// <summary>
    /// A mapping by .NET. The system takes its addresses back at its end, so the last released mappings are kept for a while: a
    /// span that was kept too long then mostly reads its old bytes.
    /// </summary>
    private sealed class PortableMapping : FileMapping
    {
        private const int KeptMappings = 16;

        private static readonly Queue<MemoryMappedViewAccessor> Kept = [];

        private readonly MemoryMappedViewAccessor _view;

        public PortableMapping(SafeFileHandle file, long bytes, bool isWritable)
        {
            var access = isWritable ? MemoryMappedFileAccess.ReadWrite : MemoryMappedFileAccess.Read;
            using var mapping = MemoryMappedFile.CreateFromFile(file, mapName: null, bytes, access, HandleInheritability.None, leaveOpen: true);
            _view = mapping.CreateViewAccessor(0, bytes, access);
            byte* start = null;
            _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
            SetHandle((nint)start);
        }

        public static void EndAllKept()
        {
            lock (Kept)
            {
                while (Kept.TryDequeue(out var view))
                {
                    End(view);
                }
            }
        }

        // Only Linux writes the changes of mappings when a file is flushed. POSIX does not require it, and macOS and Windows do not write them.
        public override void Flush() => _view.Flush();

        protected override bool ReleaseHandle()
        {
            MemoryMappedViewAccessor? oldest = null;
            lock (Kept)
            {
                Kept.Enqueue(_view);
                if (Kept.Count > KeptMappings)
                {
                    oldest = Kept.Dequeue();
                }
            }

            if (oldest is not null)
            {
                End(oldest);
            }

            return true;
        }

        // The view's own Dispose would first write all its pages to the disk and wait; closing the handle first avoids that.
        private static void End(MemoryMappedViewAccessor view)
        {
            view.SafeMemoryMappedViewHandle.ReleasePointer();
            view.SafeMemoryMappedViewHandle.Dispose();
            view.Dispose();
        }
    }
}
