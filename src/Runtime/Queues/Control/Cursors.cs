using System.Text;
using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The consumer names of a queue. The caller of everything that changes them is the registrar.</summary>
internal sealed unsafe class Cursors(ControlFile control)
{
    /// <summary>Requires a name that a cursor record can hold.</summary>
    /// <exception cref="ArgumentException">It is empty or too long.</exception>
    public static void RequireName(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (Encoding.UTF8.GetByteCount(name) > CursorRecord.MaxNameBytes)
        {
            throw new ArgumentException($"The name is longer than {CursorRecord.MaxNameBytes} bytes.", nameof(name));
        }
    }

    /// <summary>The record of a name, or null.</summary>
    public int? Find(string name)
    {
        Span<byte> wanted = stackalloc byte[CursorRecord.MaxNameBytes];
        wanted = wanted[..Encoding.UTF8.GetBytes(name, wanted)];
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            var cursor = control.Cursor(index);
            var kind = Volatile.Read(ref cursor->Kind);
            if (kind == 0)
            {
                return null;
            }

            RequireRecord(cursor, kind);
            Span<byte> known = cursor->Name;
            if (kind != CursorRecord.DeletedKind && known[..(int)cursor->NameBytes].SequenceEqual(wanted))
            {
                return index;
            }
        }

        return null;
    }

    /// <summary>Adds a name where it may begin: the start is asked for a position, and holds the segment while the name is written.</summary>
    public int Add(string name, uint kind, QueueStart start)
    {
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            var cursor = control.Cursor(index);
            if (cursor->Kind is 0 or CursorRecord.DeletedKind)
            {
                cursor->OwnerSlot = 0;
                cursor->OwnerDied = 0;
                cursor->ReadPosition = 0;
                cursor->NameBytes = (uint)Encoding.UTF8.GetBytes(name, cursor->Name);
                FaultPoints.Hit(FaultPoint.NameWritten);
                new StartPosition(control).Place(start, position =>
                {
                    cursor->Position = position;
                    Volatile.Write(ref cursor->Kind, kind);
                    FaultPoints.Hit(FaultPoint.NamePlaced);
                });
                return index;
            }
        }

        throw new InvalidOperationException(
            $"The queue in '{control.Directory}' has {CursorRecord.Count} consumer names, which is the most it can have. Delete one, use a name again, or use another queue.");
    }

    /// <summary>The name of a record.</summary>
    public string NameOf(int index)
    {
        var cursor = control.Cursor(index);
        RequireRecord(cursor, cursor->Kind);
        Span<byte> name = cursor->Name;
        return Encoding.UTF8.GetString(name[..(int)cursor->NameBytes]);
    }

    private void RequireRecord(CursorRecord* cursor, uint kind)
    {
        if (kind > CursorRecord.DeletedKind || cursor->NameBytes > CursorRecord.MaxNameBytes)
        {
            throw new QueueCorruptedException(control.Path, control.OffsetOf(cursor), "the cursor record is of no known kind");
        }
    }
}
