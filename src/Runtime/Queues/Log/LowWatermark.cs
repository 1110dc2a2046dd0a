using BufferedMessages.Segments;

namespace BufferedMessages.Queues;

/// <summary>The position below which no consumer name needs a record any longer.</summary>
internal static class LowWatermark
{
    /// <summary>Reads the watermark from the tables; 0 while there is no name, since every message is then kept for the first one.</summary>
    public static long Of(ControlMap control)
    {
        var low = long.MaxValue;
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref control.Cursor(index);
            switch (Volatile.Read(ref cursor.Kind))
            {
                case CursorRecord.ExclusiveKind:
                    low = Math.Min(low, Volatile.Read(ref cursor.Position));
                    break;
                case CursorRecord.GroupKind:
                    low = Math.Min(low, OfGroup(control, index));
                    break;
                case 0:
                    return low == long.MaxValue ? 0 : low;
            }
        }

        return low == long.MaxValue ? 0 : low;
    }

    /// <summary>
    /// Reads the claim word before the in-flight words of the members: a record that is taken in between is at or after that claim word. The words of
    /// dead members count until their messages are delivered.
    /// </summary>
    public static long OfGroup(ControlMap control, int index)
    {
        var low = Volatile.Read(ref control.Cursor(index).Position);
        FaultPoints.Hit(FaultPoint.WatermarkBetweenWords);
        var used = control.UsedSlots;
        for (var slot = 1; slot < used; slot++)
        {
            ref var member = ref control.Participant(slot);
            var word = Volatile.Read(ref member.InFlight);
            if (word != 0 && Volatile.Read(ref member.Cursor) == index)
            {
                low = Math.Min(low, InFlight.Position(word));
            }
        }

        FaultPoints.ReadClaimLast(ref low, ref control.Cursor(index).Position);
        return low;
    }
}
