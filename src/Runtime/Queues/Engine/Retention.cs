namespace BufferedMessages.Queues;

/// <summary>Deletes the oldest segments of a durable queue, as its options say.</summary>
internal static unsafe class Retention
{
    private const uint DeleteReadFlag = 1;
    private const uint KeepUnreadFlag = 2;
    private const uint DropOldestFlag = 4;

    /// <summary>Stores the options. The caller is the registrar.</summary>
    public static void Store(ControlHeader* header, QueueRetention? retention)
    {
        if (retention is null)
        {
            return;
        }

        header->RetentionBytes = retention.MaxBytes ?? 0;
        header->RetentionAgeTicks = retention.MaxAge?.Ticks ?? 0;
        header->HardLimitBytes = retention.HardLimitBytes ?? 0;
        header->RetentionFlags = (retention.DeleteRead ? DeleteReadFlag : 0)
            | (retention.KeepUnread ? KeepUnreadFlag : 0)
            | (retention.DropOldestAtHardLimit ? DropOldestFlag : 0);
    }

    /// <summary>Replaces what is stored.</summary>
    public static void Replace(ControlFile control, QueueRetention? retention)
    {
        if (retention is null)
        {
            return;
        }

        using var registrar = Registrar.Acquire(control);
        Store(control.Header, retention);
        WakeSignal.ForSpace(control).WakeAll();
    }

    /// <summary>Deletes what the options give up. The caller is the registrar.</summary>
    public static void Apply(ControlFile control)
    {
        var segments = control.Segments;
        DeleteBelow(control, WhatOptionsGiveUp(control, segments.Count));
    }

    /// <summary>Makes room for another segment, as far as the options allow it; false when the hard limit leaves no room.</summary>
    public static bool TryMakeRoom(ControlFile control, long segment)
    {
        var header = control.Header;
        if ((header->RetentionBytes | header->RetentionAgeTicks | header->HardLimitBytes | (header->RetentionFlags & DeleteReadFlag)) == 0)
        {
            return true;
        }

        var required = WhatHardLimitGivesUp(control, segment);
        var mustDelete = required > control.Segments.First;
        if (mustDelete && !MayDelete(control, required))
        {
            return false;
        }

        using var registrar = Registrar.TryAcquire(control);
        if (registrar is null)
        {
            return !mustDelete;
        }

        // A name may have come, or gone back, before this producer was the registrar.
        if (mustDelete && !MayDelete(control, required))
        {
            return false;
        }

        DeleteBelow(control, Math.Max(WhatOptionsGiveUp(control, segment + 1), required));
        return true;
    }

    /// <summary>The first segment that may stay when there will be so many in the end.</summary>
    private static long WhatOptionsGiveUp(ControlFile control, long count)
    {
        var header = control.Header;
        var read = LowWatermark.Of(control) / control.SegmentBytes;
        var bySize = header->RetentionBytes == 0 ? 0 : count - (header->RetentionBytes / control.SegmentBytes);
        var byLimits = Math.Max(bySize, header->RetentionAgeTicks == 0 ? 0 : WhatIsTooOld(control, TimeSpan.FromTicks(header->RetentionAgeTicks)));
        if ((header->RetentionFlags & KeepUnreadFlag) != 0)
        {
            byLimits = Math.Min(byLimits, read);
        }

        return Math.Max(byLimits, (header->RetentionFlags & DeleteReadFlag) != 0 ? read : 0);
    }

    /// <summary>The first segment that is young enough. One that seems to come from the future is: a clock that was set back deletes nothing.</summary>
    private static long WhatIsTooOld(ControlFile control, TimeSpan age)
    {
        var files = (FileSegments)control.Segments;
        var now = DateTime.UtcNow;
        var segment = files.First;
        while (segment < files.Count - 1 && now - File.GetLastWriteTimeUtc(files.FileOf(segment)) > age)
        {
            segment++;
        }

        return segment;
    }

    private static long WhatHardLimitGivesUp(ControlFile control, long segment)
    {
        var limit = control.Header->HardLimitBytes;
        return limit == 0 ? 0 : segment + 1 - (limit / control.SegmentBytes);
    }

    private static bool MayDelete(ControlFile control, long below) =>
        (control.Header->RetentionFlags & DropOldestFlag) != 0 || LowWatermark.Of(control) >= below * control.SegmentBytes;

    // The newest stays: producers write to it, and the positions go on from there.
    private static void DeleteBelow(ControlFile control, long segment)
    {
        var below = Math.Min(segment, control.Segments.Count - 1);
        if (below > 0)
        {
            ((FileSegments)control.Segments).DeleteBelow(below);
        }
    }
}
