using System.Collections.Concurrent;
using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The schemas of the messages in a cache: a file for each, named by its fingerprint, with its text. Determines whether the view of another schema can read a message.
/// Thread-safe.
/// </summary>
internal sealed class SchemaCatalog(string directory, FilePermissions permissions)
{
    private readonly ConcurrentDictionary<ulong, bool> _stored = new();
    private readonly ConcurrentDictionary<(ulong Stored, ulong Asked), bool> _readable = new();

    /// <summary>Writes the file of a schema, unless it is there. Called before a message of the schema is set.</summary>
    /// <exception cref="DiskFullException">The disk has no room for it.</exception>
    public void Store(MessageSchema schema)
    {
        if (!_stored.ContainsKey(schema.Fingerprint))
        {
            Write(schema);
            _stored.TryAdd(schema.Fingerprint, true);
        }
    }

    /// <summary>Determines whether a view of the schema can read messages of the fingerprint; 0 is bytes, which no view reads.</summary>
    public bool CanRead(ulong fingerprint, MessageSchema schema)
    {
        if (fingerprint == schema.Fingerprint)
        {
            return true;
        }

        return fingerprint != 0
            && (_readable.TryGetValue((fingerprint, schema.Fingerprint), out var known) ? known : Compare(fingerprint, schema));
    }

    private bool Compare(ulong fingerprint, MessageSchema schema)
    {
        var isReadable = false;
        try
        {
            if (!TryRead(CacheFiles.Schema(directory, fingerprint), fingerprint, out var text))
            {
                // A miss for now: the next process that sets a message of the schema replaces a damaged file.
                return false;
            }

            schema.RequireCompatibleOrMore(text);
            isReadable = true;
        }
        catch (SchemaMismatchException)
        {
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A miss for now: the file may be there, and readable, later.
            return false;
        }

        return _readable[(fingerprint, schema.Fingerprint)] = isReadable;
    }

    private void Write(MessageSchema schema)
    {
        var path = CacheFiles.Schema(directory, schema.Fingerprint);
        while (!IsThere(path, schema.Fingerprint))
        {
            // Two threads, perhaps of two processes, may come here and write the same. The processes of two containers may have the same id.
            var temporary = $"{path}.{Path.GetRandomFileName()}.{CacheFiles.UnfinishedSuffix}";
            var text = Encoding.UTF8.GetBytes(schema.Text);
            try
            {
                using (var file = permissions.CreateFile(temporary, FileShare.None))
                {
                    file.Write(text);
                }

                File.Move(temporary, path, overwrite: true);
                return;
            }
            catch (FileNotFoundException)
            {
                // A process that has just become the owner has deleted it: it might have been that of a dead process.
            }
            catch (IOException exception)
            {
                CacheFiles.TryDelete(temporary);
                if (MappedFile.IsOutOfSpace(exception))
                {
                    throw new DiskFullException(path, text.Length, exception);
                }

                throw;
            }
        }
    }

    // After a crash of the machine the file may be empty. One that cannot be read may be whole.
    private static bool IsThere(string path, ulong fingerprint)
    {
        try
        {
            return File.Exists(path) && TryRead(path, fingerprint, out _);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return exception is not FileNotFoundException;
        }
    }

    // False when the text is another one.
    private static bool TryRead(string path, ulong fingerprint, out string text)
    {
        text = Encoding.UTF8.GetString(File.ReadAllBytes(path));
        return MessageSchema.FingerprintOf(text) == fingerprint;
    }
}
