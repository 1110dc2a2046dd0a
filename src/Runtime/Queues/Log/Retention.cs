namespace BufferedMessages.Queues;

/// <summary>The deletion of the oldest segments of a durable queue, as its options require.</summary>
internal static class Retention
{
    /// <summary>Replaces the stored retention.</summary>
    public static void Replace(ControlMap control, QueueRetention? retention)
    {
        if (retention is null)
        {
            return;
        }

        using var membershipLock = MembershipLock.Acquire(control);
        control.Header.SetRetention(RetentionWords.Of(retention));
        WakeSignal.ForSpace(control).WakeAll();

        // After a crash of the machine, the previous retention would delete messages that this one keeps.
        control.FlushIfAsked();
    }

    /// <summary>Deletes the segments that the options do not keep. The caller holds the membership lock.</summary>
    /// <exception cref="QueueCorruptedException">The newest segment is missing, or a number of segments is impossible.</exception>
    public static void Apply(FileSegments segments)
    {
        segments.RequireNewestFile();
        var (first, rule) = FirstToKeep(segments, segments.Control.Header.GetRetention(), segments.Count);
        DeleteBelow(segments, first, rule);
    }

    /// <summary>Makes room for another segment, as far as the options allow; false if the hard limit leaves no room.</summary>
    public static bool TryMakeRoom(FileSegments segments, long segment)
    {
        var control = segments.Control;
        var retention = control.Header.GetRetention();
        if (!retention.HasRules)
        {
            return true;
        }

        var required = WhatHardLimitGivesUp(control, retention, segment);
        var mustDelete = required > segments.First;
        if (mustDelete && !MayDelete(control, retention, required))
        {
            return false;
        }

        using var membershipLock = MembershipLock.TryAcquire(control);
        if (membershipLock is null)
        {
            return !mustDelete;
        }

        // Before this producer held the membership lock, a name may have been added or moved back, and the retention replaced.
        retention = control.Header.GetRetention();
        required = WhatHardLimitGivesUp(control, retention, segment);
        if (required > segments.First && !MayDelete(control, retention, required))
        {
            return false;
        }

        var (first, rule) = FirstToKeep(segments, retention, segment + 1);
        if (required > first)
        {
            (first, rule) = (required, nameof(QueueRetention.HardLimitBytes));
        }

        DeleteBelow(segments, first, rule);
        return true;
    }

    /// <summary>The first segment to keep, once there are that many segments, and the option that deletes those before it.</summary>
    private static (long Segment, string Rule) FirstToKeep(FileSegments segments, in RetentionWords retention, long count)
    {
        var control = segments.Control;
        var read = LowWatermark.Of(control) / control.SegmentBytes;
        var bySize = retention.Bytes == 0 ? 0 : count - (retention.Bytes / control.SegmentBytes);
        var byAge = retention.AgeTicks == 0 ? 0 : FirstYoungEnough(segments, TimeSpan.FromTicks(retention.AgeTicks));
        var (byLimits, rule) = bySize >= byAge ? (bySize, nameof(QueueRetention.MaxBytes)) : (byAge, nameof(QueueRetention.MaxAge));
        if (retention.KeepsUnread)
        {
            byLimits = Math.Min(byLimits, read);
        }

        return retention.DeletesRead && read >= byLimits ? (read, nameof(QueueRetention.DeleteRead)) : (byLimits, rule);
    }

    /// <summary>
    /// The first segment with a message that is young enough. The newest message of a segment is not younger than the opening of the next segment.
    /// A time in the future is young: a clock that was set back deletes nothing. A damaged segment is as old as the next one that is sound.
    /// </summary>
    private static long FirstYoungEnough(FileSegments files, TimeSpan age)
    {
        var now = DateTimeOffset.UtcNow;
        var first = files.First;
        for (var next = first + 1; next < files.Count; next++)
        {
            try
            {
                if (now - MessageTimes.OpeningOf(files, next) <= age)
                {
                    break;
                }

                first = next;
            }
            catch (QueueCorruptedException)
            {
                // The damage is reported where it is read. Producers continue.
            }
        }

        return first;
    }

    private static long WhatHardLimitGivesUp(ControlMap control, in RetentionWords retention, long segment) =>
        retention.HardLimitBytes == 0 ? 0 : segment + 1 - (retention.HardLimitBytes / control.SegmentBytes);

    private static bool MayDelete(ControlMap control, in RetentionWords retention, long below) =>
        retention.DropsOldest || LowWatermark.Of(control) >= below * control.SegmentBytes;

    // The newest segment stays: producers write to it, and the positions continue from there.
    private static void DeleteBelow(FileSegments segments, long segment, string rule)
    {
        var below = Math.Min(segment, segments.Count - 1);
        if (below > 0)
        {
            if (below > segments.First && segments.Events.AreHeard)
            {
                NoteDeletion(segments, below, rule);
            }

            segments.DeleteBelow(below);
        }
    }

    private static void NoteDeletion(FileSegments segments, long below, string rule)
    {
        var control = segments.Control;
        var events = segments.Events;
        var (before, first) = (segments.First * control.SegmentBytes, below * control.SegmentBytes);
        events.NoteDeletion(first, first - before, rule);
        var names = new CursorNames(control);
        for (var index = 0; index < CursorRecord.Count; index++)
        {
            ref var cursor = ref control.Cursor(index);
            var position = Math.Max(Volatile.Read(ref cursor.Position), before);
            if (cursor.Kind is CursorRecord.ExclusiveKind or CursorRecord.GroupKind && position < first)
            {
                events.NoteLostMessages(names.NameOf(index), first, first - position, rule);
            }
        }
    }
}
